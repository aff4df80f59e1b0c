// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code heddle late timeline}. */
@Command(name = "timeline", description = "Draws the timelines of finished jobs, side by side.")
final class TimelineOptions implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Option(names = "--picture", required = true, paramLabel = "FILE", description = "The PNG file to write.")
    @SuppressWarnings("NullAway.Init") // injected
    private Path picture;

    @Parameters(paramLabel = "JOB.jhist", arity = "1..*", description = "The jobs' history files.")
    private List<String> histories = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        new HistoryReport(spec.commandLine().getOut(), Map.of()).timeline(histories, picture);
        return 0;
    }
}
