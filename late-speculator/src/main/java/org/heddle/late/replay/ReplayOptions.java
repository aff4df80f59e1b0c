// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code heddle late replay}. */
@Command(
        name = "replay",
        description = {
            "Shows how a finished job would have run with the LATE speculator.",
            "Of an application of Spark it shows each stage in which there were backups or would have been; the event"
                    + " log must be a file that is not compressed."
        })
final class ReplayOptions implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Parameters(paramLabel = "JOB.jhist", description = "The job's history file, or an event log of Spark.")
    @SuppressWarnings("NullAway.Init") // injected
    private String history;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "The profile of LATE: heddle or paper. Default: heddle.")
    private @Nullable String profile;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets a key of mapred-site.xml; may be given several times.")
    private Map<String, String> keys = new LinkedHashMap<>();

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "Draws the recorded and the replayed job into this PNG file.")
    private @Nullable Path picture;

    @Override
    public Integer call() throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(keys);
        if (profile != null) {
            settings.put("mapreduce.heddle.late.profile", profile);
        }
        new HistoryReport(spec.commandLine().getOut(), settings).replay(history, picture);
        return 0;
    }
}
