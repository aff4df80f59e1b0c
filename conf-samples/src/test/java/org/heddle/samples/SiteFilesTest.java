// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.yarn.MarketKeys;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Hadoop's daemons read: known keys, valid values, a reason for each, and nothing that is lost at a reboot. */
@Loads({"**/yarn-site.xml", "**/core-site.xml"})
class SiteFilesTest {
    private static final Pattern PROPERTY = Pattern.compile("(-->)?\\s*<property>");
    /** Keys that Hadoop reads and gives no default. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            "yarn.resourcemanager.principal",
            "yarn.resourcemanager.webapp.spnego-principal",
            "yarn.resourcemanager.webapp.spnego-keytab-file",
            "yarn.resourcemanager.ha.rm-ids",
            "yarn.resourcemanager.hostname.rm1",
            "yarn.resourcemanager.hostname.rm2",
            "yarn.resourcemanager.cluster-id",
            "yarn.resourcemanager.zk-address",
            "hadoop.zk.address",
            "hadoop.security.credential.provider.path");

    @TempDir
    private Path directory;

    static Stream<Path> siteFiles() throws IOException {
        List<Path> files = Samples.matching("**/yarn-site.xml", "**/core-site.xml");
        assertThat(files).hasSizeGreaterThanOrEqualTo(7);
        return files.stream();
    }

    private static Stream<ConfigKey<?>> keys() {
        return Stream.of(SchedulerKeys.ALL, FairKeys.ALL, MarketKeys.ALL, WebKeys.ALL)
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void everyPropertyIsKnownAndValidAndExplained(Path file) throws IOException {
        Configuration site = Samples.site(file);
        Configuration yarn = new YarnConfiguration();
        Set<String> ours = keys().map(ConfigKey::name).collect(Collectors.toSet());

        assertThat(site).isNotEmpty().allSatisfy(property -> {
            String key = property.getKey();
            boolean hadoops = !key.contains("heddle") && (yarn.get(key) != null || WITHOUT_DEFAULT.contains(key));
            assertThat(hadoops || ours.contains(key))
                    .as("%s in %s is a key of Hadoop or of ours", key, file)
                    .isTrue();
        });
        assertThat(keys()).allSatisfy(key -> assertThat(key.read(site::get)).isNotNull());
        Matcher property = PROPERTY.matcher(Files.readString(file));
        while (property.find()) {
            assertThat(property.group(1))
                    .as("a comment right above each <property> in %s", file)
                    .isNotNull();
        }
    }

    /** The machine and its daemons are not those of the sample, so they are not checked. */
    @ParameterizedTest
    @MethodSource("siteFiles")
    void doctorFindsNoProblem(Path file) throws Exception {
        Path sample = Samples.file(Objects.requireNonNull(file.getParent()).toString());
        boolean adds = sample.endsWith("kerberos") || !Files.exists(sample.resolve("yarn-site.xml"));
        if (!adds) { // kerberos has what is added to other files
            Commands.Outcome outcome =
                    Commands.heddle(directory, "doctor", "--conf-dir", sample.toString(), "--timeout", "1s");
            assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
            assertThat(outcome.out()).contains("0 problems");
        }
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void onlyTheResourceManagerIsToldOfOurClasses(Path file) {
        assertThat(Samples.site(file)).allSatisfy(property -> {
            if (property.getValue().contains("org.heddle")) {
                assertThat(property.getKey()).isEqualTo(YarnConfiguration.RM_SCHEDULER);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void whatIsToSurviveARestartIsNotInTheTemporaryDirectory(Path file) {
        Configuration site = Samples.site(file);
        if (site.getBoolean(YarnConfiguration.RECOVERY_ENABLED, false)
                && !site.get(YarnConfiguration.RM_STORE, "").endsWith("ZKRMStateStore")) {
            assertThat(site.get(YarnConfiguration.FS_RM_STATE_STORE_URI)).startsWith("file:///var/lib/");
        }
        if (site.getBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false)) {
            assertThat(site.get(YarnConfiguration.NM_RECOVERY_DIR)).startsWith("/var/lib/");
        }
        if (site.get(YarnConfiguration.RM_SCHEDULER, "").endsWith("DynamicPriorityScheduler")) {
            assertThat(MarketKeys.STORE_DIRECTORY.read(site::get)).startsWith("/var/lib/");
        }
    }

    @Test
    void theMarketsSampleLetsNobodyButItsAdministratorsChangeAnything() {
        Configuration site = Samples.site(Path.of("market", "yarn-site.xml"));
        assertThat(WebKeys.MASTER_KEY.read(site::get))
                .as("no secret is shipped")
                .isEmpty();
        assertThat(site.get("hadoop.security.credential.provider.path")).startsWith("localjceks://file/etc/");
        assertThat(WebKeys.ADMINS.read(site::get)).isNotEmpty().isNotEqualTo("*");
        assertThat(WebKeys.AUDITORS.read(site::get)).isNotEmpty().isNotEqualTo("*");
        assertThat(WebKeys.INSECURE_ROLE.read(site::get)).isEqualTo("none");
    }
}
