// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.heddle.frameworks.offers.BridgeOptions;
import org.heddle.frameworks.offers.Programs;
import org.heddle.frameworks.offers.Size;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle webfarm}: the command line. */
@Command(
        name = "webfarm",
        description = {
            "Serves web pages with nginx on offers, behind haproxy on this machine, until it is ended.",
            "There are as many servers as the open sessions need."
        })
public final class WebFarmCommand implements Callable<Integer> {
    private static final int TICK_MILLIS = 250;
    private static final double FAILOVER_SECONDS = 300;

    @Mixin
    BridgeOptions bridge = new BridgeOptions();

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS:PORT",
            defaultValue = "127.0.0.1:8080",
            description = "Where haproxy listens. Default: ${DEFAULT-VALUE}.")
    String bind = "";

    @Option(
            names = "--least",
            paramLabel = "N",
            defaultValue = "1",
            description = "The least servers. Default: ${DEFAULT-VALUE}.")
    int least;

    @Option(
            names = "--most",
            paramLabel = "N",
            defaultValue = "16",
            description = "The most servers. Default: ${DEFAULT-VALUE}.")
    int most;

    @Option(
            names = "--per-node",
            paramLabel = "N",
            defaultValue = "1",
            description = "The most servers of a node. Default: ${DEFAULT-VALUE}.")
    int perNode;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "50",
            description = "Open sessions for which one server is enough. Default: ${DEFAULT-VALUE}.")
    int sessions;

    @Option(
            names = "--calm",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationConverter.Seconds.class,
            description =
                    "How long fewer servers must be enough before one is drained. Default:" + " ${DEFAULT-VALUE}.")
    Duration calm = Duration.ZERO;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "0.5",
            description = "CPUs of each server. Default: ${DEFAULT-VALUE}.")
    double cpus;

    @Option(
            names = "--mem",
            paramLabel = "SIZE",
            defaultValue = "128Mi",
            converter = SizeConverter.class,
            description = "Memory of each server. Default: ${DEFAULT-VALUE}; a number without a unit is" + " MiB.")
    int memMb;

    @Option(
            names = "--location",
            paramLabel = "NGINX",
            defaultValue = "return 200 \"Heddle web farm\\n\";",
            description = "What nginx does for each page, for example 'root /srv/www;'. Default: a" + " sentence.")
    String location = "";

    Size size() {
        return new Size(cpus, memMb);
    }

    /** Places in haproxy: a server that drains still has one when its successor comes. */
    int slots() {
        return 2 * most;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (least < 1 || most < least || most > 1000 || perNode < 1 || sessions < 1) {
            throw new IllegalArgumentException("--least " + least + " --most " + most + " --per-node " + perNode
                    + " --sessions " + sessions
                    + ": must be 1 or more, --most between --least and 1000");
        }
        if (!(cpus > 0) || memMb < 32) {
            throw new IllegalArgumentException(
                    "--cpus " + cpus + " --mem " + memMb + ": must be above 0, and memory at least 32 MiB");
        }
        if (!bind.matches("[^\\s]*:[0-9]+")) {
            throw new IllegalArgumentException("--bind '" + bind + "': must be ADDRESS:PORT, for example 0.0.0.0:80");
        }
        String program = Programs.find("haproxy", "haproxy");
        Path directory = Files.createTempDirectory("webfarm");
        try (Haproxy haproxy = new Haproxy(program, directory, bind, slots(), 2 * sessions)) {
            WebFarm farm = new WebFarm(this, haproxy, () -> System.nanoTime() / 1_000_000, System.err);
            try (SchedulerDriver driver =
                    new HttpSchedulerDriver(farm, bridge.info("web farm", FAILOVER_SECONDS, null), bridge.bridges())) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    driver.stop(false);
                    haproxy.end();
                }));
                driver.start();
                while (farm.problem().isEmpty()) {
                    farm.tick();
                    TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
                }
            }
            throw new IOException(farm.problem());
        }
    }
}
