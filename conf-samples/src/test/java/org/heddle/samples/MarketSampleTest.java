// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.security.alias.CredentialShell;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe for the master key, and with what it makes a market in which somebody pays and somebody bids. */
@Loads("market/master-key.sh")
class MarketSampleTest {
    private static final String PROVIDERS = "hadoop.security.credential.provider.path";
    private static final String SECRETS = "/etc/hadoop/secret";

    @TempDir
    Path directory;

    @Test
    void theKeyThatTheRecipeMakesOpensTheMarket() throws Exception {
        SystemPackage.require("openssl");
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Commands.install(bin, "hadoop", CredentialShell.class.getName(), 1);
        String market =
                Commands.install(bin, "heddle", HeddleMarket.class.getName(), 1).toString();
        Path secrets = directory.resolve("secret");
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", bin + File.pathSeparator + System.getenv("PATH"),
                "TEST_CLASS_PATH", System.getProperty("java.class.path"),
                "DIRECTORY", secrets.toString()));
        String recipe = Samples.file("market/master-key.sh").toString();
        String nobody = "http://127.0.0.1:1"; // the key is made before the ResourceManager runs with it

        Commands.Outcome made = Commands.run(directory, environment, "sh", recipe, nobody);
        assertThat(made.code()).as(made.out() + made.err()).isZero();
        for (String file : new String[] {"heddle-market.jceks", "operator.key"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secrets.resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
        assertThat(Commands.run(directory, environment, "sh", recipe, nobody).err())
                .contains("is there already");

        YarnConfiguration conf = Samples.manager(Path.of("market", "yarn-site.xml"));
        assertThat(conf.get(PROVIDERS)).isEqualTo("localjceks://file" + SECRETS + "/heddle-market.jceks");
        conf.set(PROVIDERS, conf.get(PROVIDERS).replace(SECRETS, secrets.toString()));
        conf.set(
                SchedulerKeys.CONFIGURATION_FILE.name(),
                Samples.file("market/heddle-scheduler.xml").toString());
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory.resolve("books").toString());
        try (ResourceManager rm = new ResourceManager()) {
            rm.init(conf);
            rm.start();
            String url = Samples.web(conf);
            String key = secrets.resolve("operator.key").toString();
            String[][] commands = {
                {"pay", "research", "100", "100 paid into research"},
                {"bid", "research", "0.5", "research bids 0.5"},
            };
            for (String[] command : commands) {
                Commands.Outcome done = Commands.run(
                        directory,
                        environment,
                        market,
                        "market",
                        command[0],
                        command[1],
                        command[2],
                        "--key-file",
                        key,
                        "--url",
                        url);
                assertThat(done.out() + done.err()).contains(command[3]);
            }
            Commands.Outcome stranger = Commands.run(directory, environment, market, "market", "info", "--url", url);
            assertThat(stranger.out())
                    .as("balances are shown to nobody who has not signed")
                    .doesNotContain("100");
        }
    }
}
