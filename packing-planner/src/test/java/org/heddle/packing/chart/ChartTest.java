// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.cli.Planners;
import org.heddle.packing.export.ReservationExport;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.phased.Explainer;
import org.heddle.packing.solve.phased.SequentialPlanner;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class ChartTest {
    private final Problem problem = RandomProblems.of(4, 4, 4, 2);

    @Test
    void picturesOfAllPlansAreWellFormedSelfContainedAndTheSameEachTime() throws Exception {
        for (Planner planner : Planners.all()) {
            Plan plan = Explainer.explain(problem, planner.plan(problem, SearchSteps.limit(500)));
            String svg = SvgGantt.draw(problem, plan, List.of(new Actual("j0", 0, 5)));
            parse(svg);
            assertThat(svg).isEqualTo(SvgGantt.draw(problem, plan, List.of(new Actual("j0", 0, 5))));
            assertThat(svg.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
            assertThat(HtmlReport.page(problem, plan, List.of())).doesNotContain("src=", "href=");
            assertThat(TextGantt.draw(problem, plan, 80)).contains("makespan", "j0");
            assertThat(plan.explanations()).isNotEmpty().allMatch(r -> r.text().endsWith("."));
            if (plan.phases().size() > 0) {
                assertThat(ReservationExport.submissions(plan, 0, "q", 1024, 1, 30, true))
                        .hasSize(4);
            }
        }
    }

    @Test
    void fiftyJobsOnTwoHundredSlotsHaveDifferentFillsAndNumbersAndTheirPhasesAreMarked() {
        Problem large = RandomProblems.large(7, 50, 100, 2, true);
        Plan plan = new SequentialPlanner().plan(large, SearchSteps.limit(10));
        String svg = SvgGantt.draw(large, plan, List.of());
        parse(svg);
        assertThat(IntStream.range(0, 50).mapToObj(j -> JobFills.colour(j) + JobFills.pattern(j)))
                .doesNotHaveDuplicates();
        for (Job job : large.jobs()) {
            assertThat(svg).containsPattern(">\\d+  " + job.name() + "</text>");
        }
        assertThat(svg.split("stroke=\"#111111\"")).hasSize(50);
        assertThat(svg).contains(">phase ", "Black lines: starts of phases.");
    }

    @Test
    void plansWithWrongTimesAreDrawnToo() {
        Plan plan = new SequentialPlanner().plan(problem, SearchSteps.limit(10));
        double[] odd = {-1, 0, 1e308, Double.MIN_VALUE};
        for (double makespan : odd) {
            for (double lower : odd) {
                Plan wrong = new Plan(
                        plan.problem(),
                        plan.planner(),
                        plan.kind(),
                        makespan,
                        lower,
                        plan.bound(),
                        plan.phases(),
                        List.of());
                assertThat(TextGantt.draw(problem, wrong, 80)).contains("j0");
            }
        }
    }

    @Test
    void longNamesThatBeginAlikeStayDifferentInTheLegend() {
        assertThat(SvgGantt.shortened("nightly-aggregation-of-transactions-europe-001", 26))
                .isEqualTo("nightly-aggr…ns-europe-001");
        assertThat(SvgGantt.shortened("\ud83d\ude80".repeat(30), 4)).isEqualTo("\ud83d\ude80…\ud83d\ude80\ud83d\ude80");
    }

    @Test
    void theTwelveColoursDifferClearly() {
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < i; j++) {
                int a = Integer.parseInt(JobFills.colour(i).substring(1), 16);
                int b = Integer.parseInt(JobFills.colour(j).substring(1), 16);
                int red = (a >> 16) - (b >> 16);
                int green = (a >> 8 & 255) - (b >> 8 & 255);
                int blue = (a & 255) - (b & 255);
                assertThat(red * red + green * green + blue * blue)
                        .as(JobFills.colour(i) + " " + JobFills.colour(j))
                        .isGreaterThan(1_000);
            }
        }
    }

    private static void parse(String xml) {
        try {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        } catch (java.io.IOException | org.xml.sax.SAXException | javax.xml.parsers.ParserConfigurationException e) {
            throw new AssertionError(xml, e);
        }
    }
}
