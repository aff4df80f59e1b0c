// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.heddle.journal.FencedException;
import org.heddle.journal.LogContent;
import org.heddle.journal.LogPoint;
import org.heddle.journal.WriteAheadLog;

/**
 * A process that leads a log and appends as fast as it can. It prints {@code opened N}, {@code ack N} for each record,
 * and {@code fenced} when another one leads; its parent kills or stops it. Argument: the directory.
 */
public final class LeaderProcess {
    static final int NO_FAILURE = 4;

    private LeaderProcess() {}

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        WriteAheadLog log = log(args[0], new Configuration());
        int last = LogContent.open(log).size();
        out.println("opened " + last);
        try {
            for (int next = last + 1; !out.checkError(); next++) {
                log.append(List.of(LogContent.body(next)), true);
                out.println("ack " + next);
                if (next % 50 == 0) {
                    log.snapshot(LogContent.state(next));
                }
            }
        } catch (FencedException e) {
            out.println("fenced " + e.getMessage());
        }
        Runtime.getRuntime().halt(NO_FAILURE);
    }

    static WriteAheadLog log(String directory, Configuration conf) {
        return new WriteAheadLog(
                LogPlace.storage(directory, conf, LogPoint.Watcher.NONE), "the test", modified -> true);
    }
}
