// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.nio.file.Path;
import java.util.List;
import org.heddle.packing.chart.Actual;
import org.heddle.packing.chart.HtmlReport;
import org.heddle.packing.chart.SvgGantt;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for charts of a plan; all commands that show a plan share them. */
final class DrawingOptions {
    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan as a self-contained SVG.")
    private @Nullable Path svg;

    @Option(names = "--html", paramLabel = "FILE", description = "Write chart, table and reasons as one HTML file.")
    private @Nullable Path html;

    void draw(Problem problem, Plan plan, List<Actual> actuals) {
        if (svg != null) {
            Output.write(svg, SvgGantt.draw(problem, plan, actuals));
        }
        if (html != null) {
            Output.write(html, HtmlReport.page(problem, plan, actuals));
        }
    }
}
