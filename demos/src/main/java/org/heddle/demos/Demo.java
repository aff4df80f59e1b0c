// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import java.util.Set;
import org.apache.log4j.LogManager;
import org.heddle.demos.drf.DrfDemo;
import org.heddle.demos.late.LateDemo;
import org.heddle.demos.market.MarketDemo;
import org.heddle.demos.offers.OffersDemo;
import org.heddle.demos.pack.PackDemo;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./demo}: a real cluster inside this JVM, and what our schedulers do with it. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        version = "Heddle, built from this source tree",
        description = "Starts a real Hadoop cluster inside one JVM and lets jobs compete on it.",
        footer = {"", "Without a subcommand, drf is run; its options may be given directly: ./demo --keep"},
        subcommands = {
            DrfDemo.class,
            MarketDemo.class,
            LateDemo.class,
            PackDemo.class,
            OffersDemo.class,
            CommandLine.HelpCommand.class
        })
public final class Demo {
    private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

    private Demo() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command line; returns its exit code: 0 if all checks held, 1 if one did not, 2 for wrong arguments. */
    public static int run(String... args) {
        boolean bare = args.length == 0 || (args[0].startsWith("-") && !OWN_OPTIONS.contains(args[0]));
        String[] full = args;
        if (bare) {
            full = new String[args.length + 1];
            full[0] = "drf";
            System.arraycopy(args, 0, full, 1, args.length);
        }
        return new CommandLine(new Demo())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    LogManager.getLogger(Demo.class).error("the demo failed", e);
                    line.getErr().println("demo: " + e);
                    line.getErr().flush();
                    return 1;
                })
                .execute(full);
    }
}
