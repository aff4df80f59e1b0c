// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.market.cli.HeddleMarket;
import picocli.CommandLine;

/** {@code bin/heddle market} without a new process: the same class, the same signed requests to the ResourceManager. */
final class MarketCommand {
    private final String url;
    private final String directory;

    /** @param directory of key files, which is not shown with their names */
    MarketCommand(String url, String directory) {
        this.url = url;
        this.directory = directory + "/";
    }

    /** Runs a command and shows it with what it printed. */
    void show(PrintStream console, String... words) throws IOException {
        console.println("$ heddle market " + String.join(" ", words).replace(directory, ""));
        run(words).lines().forEach(line -> console.println("  " + line.replace(directory, "")));
    }

    private String run(String... words) throws IOException {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.add("--url");
        all.add(url);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HeddleMarket.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        int code = line.execute(all.toArray(String[]::new));
        if (code != 0) {
            throw new IOException("heddle market " + String.join(" ", words) + " ended with " + code + ": "
                    + err.toString().strip());
        }
        return out.toString();
    }
}
