// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines.hive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.processors.CommandProcessor;
import org.apache.hadoop.hive.ql.processors.CommandProcessorFactory;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Runs the statements of its standard input in one Hive session, as {@code hive -f} does, and prints the rows of
 * queries. Statements end with a semicolon; no text may contain one.
 */
public final class HiveScript {
    private HiveScript() {}

    public static void main(String[] arguments) throws Exception {
        String script = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        SessionState session = SessionState.start(new HiveConf(HiveScript.class));
        try {
            for (String statement : script.split(";", -1)) {
                if (!statement.isBlank()) {
                    run(session, statement.strip());
                }
            }
        } finally {
            session.close();
        }
    }

    private static void run(SessionState session, String statement) throws Exception {
        String[] words = statement.split("\\s+", -1);
        CommandProcessor processor = CommandProcessorFactory.get(words, session.getConf());
        if (processor instanceof IDriver driver) {
            try (driver) {
                driver.run(statement);
                print(driver);
            }
        } else {
            // SET and its like take what comes after their first word.
            processor.run(statement.substring(words[0].length()).strip());
        }
    }

    private static void print(IDriver driver) throws IOException {
        List<String> rows = new ArrayList<>();
        while (driver.getResults(rows)) {
            rows.forEach(System.out::println);
            rows.clear();
        }
    }
}
