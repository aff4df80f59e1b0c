// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.google.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.MetricsOverviewTable;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMAppsBlock;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RmView;
import org.apache.hadoop.yarn.webapp.SubView;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.DIV;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/**
 * {@code /cluster/scheduler} in the ResourceManager's own look: queues and users as bars, its own table of applications
 * below. Needs no script. The ResourceManager makes it through its injector.
 */
public final class HeddleSchedulerPage extends RmView {
    private static final String STYLE = """
            #heddle .entry { display: flex; flex-wrap: wrap; align-items: center; padding: 2px 0 }
            #heddle .label { box-sizing: border-box; width: 18em; overflow-wrap: anywhere }
            #heddle .QUEUE { font-weight: bold }
            #heddle .track { position: relative; width: 20em; height: 1em; background: #e8ebef; overflow: hidden }
            #heddle .track i { position: absolute; top: 0; bottom: 0; left: 0; background: #7a5bb5 }
            #heddle .memory-mb i { background: #2f6fb3 }
            #heddle .vcores i { background: #d97a1f }
            #heddle .track .wanted { opacity: 0.3 }
            #heddle .track .fair { width: 3px; background: #000 }
            #heddle .figures { padding-left: 1em }
            #heddle .problem { border: 1px solid #b3261e; border-left-width: 6px; padding: 0.5em }
            """;

    @Override
    protected void postHead(Hamlet.HTML<__> html) {
        html.style(STYLE);
    }

    @Override
    protected Class<? extends SubView> content() {
        return SchedulablesBlock.class;
    }

    /** The part of the page that is ours. */
    static final class SchedulablesBlock extends HtmlBlock {
        /** More children than this are counted instead of shown; the page under {@code /heddle/} has all. */
        private static final int SHOWN = 50;

        private final ResourceManager rm;

        @Inject
        SchedulablesBlock(ResourceManager rm, ViewContext context) {
            super(context);
            this.rm = rm;
        }

        @Override
        protected void render(Block html) {
            html.__(MetricsOverviewTable.class);
            if (rm.getResourceScheduler() instanceof SnapshotSource source) {
                render(html, source.snapshot());
            } else {
                html.p().__("This ResourceManager has no Heddle scheduler.").__();
            }
            html.__(RMAppsBlock.class);
        }

        private static void render(Block html, SchedulerSnapshot snapshot) {
            DIV<Hamlet> div = html.div("#heddle");
            String problem = snapshot.configuration().problem();
            if (problem != null) {
                div.p(".problem")
                        .__("The configuration was changed and refused; the last good one is still in force. "
                                + problem)
                        .__();
            }
            div.p()
                    .__(String.format(
                            Locale.ROOT,
                            "Jain's fairness index of the users that wait: %.3f. Bars: dominant share held, pale: if all"
                                    + " asks were met, black line: fair share now. Applications and JSON: ",
                            snapshot.jainIndex()))
                    .a(SchedulerServlet.PATH + "/", SchedulerServlet.PATH + "/")
                    .__();
            render(div, snapshot.root(), 0);
            for (SchedulerSnapshot.PreemptionReport preemption : snapshot.preemptions()) {
                div.p(".revoking").__(sentence(preemption)).__();
            }
            div.__();
        }

        private static void render(DIV<Hamlet> div, SchedulableReport schedulable, int depth) {
            renderBar(div, schedulable, depth);
            List<SchedulableReport> below = schedulable.children().stream()
                    .filter(child -> child.kind() != Kind.APPLICATION)
                    .toList();
            below.stream().limit(SHOWN).forEach(child -> render(div, child, depth + 1));
            if (below.size() > SHOWN) {
                String more = "and " + (below.size() - SHOWN) + " more";
                div.div(".entry").$style(indent(depth + 1)).__(more).__();
            }
        }

        private static void renderBar(DIV<Hamlet> div, SchedulableReport schedulable, int depth) {
            div.div(".entry")
                    .div()
                    .$class("label " + schedulable.kind())
                    .$style(indent(depth))
                    .__(schedulable.name())
                    .__()
                    .div()
                    .$class("track " + schedulable.dominantResource())
                    .i()
                    .$class("wanted")
                    .$style("width:" + width(schedulable.demandShare()))
                    .__()
                    .i()
                    .$class("held")
                    .$style("width:" + width(schedulable.dominantShare()))
                    .__()
                    .i()
                    .$class("fair")
                    .$style("left:min(" + width(schedulable.fairShare()) + ", 100% - 3px)")
                    .__()
                    .__()
                    .div()
                    .$class("figures")
                    .__(figures(schedulable))
                    .__()
                    .__();
        }

        private static String figures(SchedulableReport schedulable) {
            return String.format(
                    Locale.ROOT,
                    "%.1f %%%s, fair %.1f %%, asks for %.1f %%, weight %s%s",
                    schedulable.dominantShare() * 100,
                    schedulable.dominantResource().isEmpty() ? "" : " of " + schedulable.dominantResource(),
                    schedulable.fairShare() * 100,
                    schedulable.demandShare() * 100,
                    schedulable.weight(),
                    waiting(schedulable));
        }

        private static String waiting(SchedulableReport schedulable) {
            if (!schedulable.obstacle().isEmpty()) {
                return ", cannot be served: " + schedulable.obstacle();
            }
            return schedulable.blocked() ? ", waits for its turn" : "";
        }

        private static String sentence(SchedulerSnapshot.PreemptionReport preemption) {
            String victims = preemption.victims().stream()
                    .map(victim -> victim.inWords() + " " + victim.fate())
                    .collect(Collectors.joining("; "));
            return String.format(
                    Locale.ROOT,
                    "%s, %s: room for %d containers of %s (queue %s, user %s) on %s (%s). %s%s",
                    preemption.beneficiary(),
                    preemption.reason(),
                    preemption.count(),
                    preemption.application(),
                    preemption.queue(),
                    preemption.user(),
                    preemption.node(),
                    preemption.terms(),
                    victims.isEmpty() ? "No container is preempted." : victims + ".",
                    preemption.outcome().isEmpty() ? "" : " Outcome: " + preemption.outcome() + ".");
        }

        private static String indent(int depth) {
            return "padding-left:" + depth + "em";
        }

        private static String width(double part) {
            return String.format(Locale.ROOT, "%.2f%%", Math.max(0, Math.min(1, part)) * 100);
        }
    }
}
