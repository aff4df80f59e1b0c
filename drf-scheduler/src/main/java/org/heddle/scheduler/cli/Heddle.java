// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.heddle.settings.command.Frame;
import org.heddle.settings.command.OptionDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code heddle}: checks and converts configuration files, checks an installation, and asks a running
 * scheduler why an application waits and what was used.
 */
@Command(
        name = "heddle",
        description = "Works with the Heddle scheduler of a YARN ResourceManager.",
        subcommands = {Check.class, Convert.class, Doctor.class, Why.class, Report.class})
public final class Heddle {
    /** A system property of the JDK: tickets may come from kinit's cache. */
    private static final String ONLY_OWN_TICKETS = "javax.security.auth.useSubjectCredsOnly";

    private Heddle() {}

    /** Runs the command; ends the process with 0, or with 1 or 2 after one sentence. */
    public static void main(String[] arguments) {
        System.setProperty(ONLY_OWN_TICKETS, System.getProperty(ONLY_OWN_TICKETS, "false"));
        System.exit(run(
                new PrintWriter(System.out, true, Charset.defaultCharset()),
                new PrintWriter(System.err, true, Charset.defaultCharset()),
                arguments));
    }

    /** The same without ending the process. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine heddle = Frame.of("heddle", new Heddle());
        OptionDefaults.install(heddle, "");
        return heddle.setOut(out).setErr(err).execute(arguments);
    }
}
