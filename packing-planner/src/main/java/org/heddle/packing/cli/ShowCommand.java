// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.heddle.packing.chart.TextGantt;
import org.heddle.packing.io.PlanFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle pack show}. */
@Command(name = "show", description = "Draws a plan file in the terminal, as SVG or as HTML.")
final class ShowCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private DrawingOptions drawing;

    @Mixin
    @SuppressWarnings("NullAway.Init") // injected
    private PlanInput input;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PlanFile.Loaded loaded = input.read(spec.commandLine().getErr());
        drawing.draw(loaded.problem(), loaded.plan(), List.of());
        out.println(TextGantt.draw(loaded.problem(), loaded.plan(), Output.width()));
        out.flush();
        return 0;
    }
}
