// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.heddle.offers.http.Credentials;
import org.heddle.settings.Sentences;
import org.heddle.settings.command.Frame;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code heddle bridge}: runs a bridge until it is stopped. This class does not mention Hadoop, so that the help text,
 * the version and the keys can be printed on a machine without Hadoop.
 */
@Command(name = "bridge", description = "Offers the resources of a YARN cluster over the Mesos v1 HTTP API.")
public final class Main implements Callable<Integer> {
    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "A site file with keys of the bridge or of the cluster; may be given several times.")
    private List<Path> files = List.of();

    @Option(
            names = {"-D", "--define"},
            paramLabel = "KEY=VALUE",
            description = "Sets one key.")
    private List<String> definitions = List.of();

    @Option(names = "--keys", description = "Prints all keys of the bridge and ends.")
    private boolean keys;

    @Option(
            names = "--add-principal",
            paramLabel = "NAME",
            description = "Reads a secret from standard input, prints a line for heddle.bridge.auth.file and ends.")
    private @Nullable String principal;

    @Option(
            names = "--users",
            paramLabel = "USER,..",
            description = "With --add-principal: the users that it may run as; * for all.")
    private String users = "";

    @Option(
            names = "--print-addresses",
            paramLabel = "FILE",
            description = "Writes the addresses into this file once the bridge is ready: frameworks', then agents'.")
    private @Nullable Path addresses;

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    private static final int SHORTEST_SECRET = 12;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command line; returns its exit code: 0, 1 if the bridge failed, 2 for wrong arguments or settings. */
    public static int run(String... args) {
        return Frame.of("heddle bridge", new Main()).execute(args);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (keys) {
            BridgeKeys.ALL.forEach(key -> out.println(key.name() + " = " + key.fallback() + "\n    " + key.doc()));
            return 0;
        }
        String named = principal;
        if (named != null) {
            if (!named.matches("[A-Za-z0-9._@-]+") || !users.matches("[A-Za-z0-9._@,*-]+")) {
                throw new IllegalArgumentException("--add-principal '" + named + "' --users '" + users
                        + "': want a name, and users separated by commas, of letters, digits and . _ @ -");
            }
            char[] secret = new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .toCharArray();
            if (secret.length < SHORTEST_SECRET) {
                throw new IllegalArgumentException("the secret has " + secret.length + " characters: want at least "
                        + SHORTEST_SECRET + ", on standard input");
            }
            out.println(Credentials.line(named, secret, users));
            out.flush();
            return 0;
        }
        Bridge bridge = SiteFiles.startBridge(files, definitions);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                bridge.close();
            } catch (IOException e) {
                System.err.println("heddle bridge: " + Sentences.of(e));
            }
        }));
        out.println("Frameworks connect to " + bridge.schedulerApi());
        out.flush();
        Path file = addresses;
        if (file != null) {
            AtomicFile.write(
                    file,
                    bridge.httpAddress().getPort() + "\n"
                            + bridge.agentAddress().getPort() + "\n");
        }
        bridge.await();
        return 1;
    }
}
