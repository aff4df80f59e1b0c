// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.google.inject.Inject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.MetricsOverviewTable;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMAppsBlock;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RmView;
import org.apache.hadoop.yarn.webapp.SubView;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.DIV;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TABLE;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TBODY;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.THEAD;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TR;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.jspecify.annotations.Nullable;

/**
 * {@code /cluster/scheduler} in the ResourceManager's own look: a table of queues and users with bars, its own table of
 * applications below. Needs no script. The ResourceManager makes it through its injector.
 */
public final class HeddleSchedulerPage extends RmView {
    private static final String STYLE = """
            #heddle { max-width: calc(100vw - 16em); overflow-x: auto }
            #heddle table { width: auto; border-collapse: collapse }
            #heddle th, #heddle td { padding: 2px 1em 2px 0; text-align: left; vertical-align: top; white-space: nowrap }
            #heddle .label { min-width: 12em; max-width: 24em; white-space: normal; overflow-wrap: anywhere }
            #heddle .waits { min-width: 16em; white-space: normal }
            #heddle .QUEUE { font-weight: bold }
            #heddle .track { position: relative; width: 12em; height: 1em; background: #e8ebef; overflow: hidden }
            #heddle .track i { position: absolute; top: 0; bottom: 0; left: 0; background: #7a5bb5 }
            #heddle .memory-mb i { background: #2f6fb3 }
            #heddle .vcores i { background: #d97a1f }
            #heddle .track .wanted { opacity: 0.3 }
            #heddle .track .fair { width: 3px; background: #000 }
            #heddle .problem { border: 1px solid #b3261e; border-left-width: 6px; padding: 0.5em }
            """;

    /** Heads of the columns. */
    private static final String[] COLUMNS = {
        "Queue or user",
        "Dominant share",
        "Held",
        "Fair now",
        "Asked for",
        "Weight",
        "Minimum",
        "Maximum",
        "Masters use",
        "Masters may use",
        "Reserved",
        "Users",
        "Waits"
    };

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
                render(html, source);
            } else {
                html.p().__("This ResourceManager has no Heddle scheduler.").__();
            }
            html.__(RMAppsBlock.class);
        }

        private static void render(Block html, SnapshotSource source) {
            SchedulerSnapshot snapshot = source.snapshot();
            DIV<Hamlet> div = html.div("#heddle");
            String problem = snapshot.configuration().problem();
            if (problem != null) {
                div.p(".problem")
                        .__("The configuration was changed and refused; the last good one is still in force. "
                                + problem)
                        .__();
            }
            div.p().__(WaitingOverview.of(source).sentence()).__();
            div.p()
                    .__(
                            "Bars: dominant share held; pale: with everything that is asked for; black line: fair share now."
                                    + " Applications and JSON: ")
                    .a(SchedulerServlet.PATH + "/", SchedulerServlet.PATH + "/")
                    .__();
            Map<String, QueueRow> limits =
                    QueueRow.of(source).stream().collect(Collectors.toMap(QueueRow::path, row -> row));
            TABLE<DIV<Hamlet>> table = div.table();
            TR<THEAD<TABLE<DIV<Hamlet>>>> head = table.thead().tr();
            for (String column : COLUMNS) {
                head.th(column);
            }
            head.__().__();
            TBODY<TABLE<DIV<Hamlet>>> body = table.tbody();
            render(body, snapshot.root(), limits, 0);
            body.__().__();
            for (SchedulerSnapshot.PreemptionReport preemption : snapshot.preemptions()) {
                div.p(".revoking").__(sentence(preemption)).__();
            }
            div.__();
        }

        private static void render(
                TBODY<TABLE<DIV<Hamlet>>> body,
                SchedulableReport schedulable,
                Map<String, QueueRow> limits,
                int depth) {
            boolean queue = schedulable.kind() == Kind.QUEUE;
            render(body, schedulable, queue ? limits.get(schedulable.path()) : null, depth);
            List<SchedulableReport> below = schedulable.children().stream()
                    .filter(child -> child.kind() != Kind.APPLICATION)
                    .toList();
            below.stream().limit(SHOWN).forEach(child -> render(body, child, limits, depth + 1));
            if (below.size() > SHOWN) {
                String more = "and " + (below.size() - SHOWN) + " more";
                body.tr().td().$style(indent(depth + 1)).__(more).__().__();
            }
        }

        private static void render(
                TBODY<TABLE<DIV<Hamlet>>> body, SchedulableReport schedulable, @Nullable QueueRow limits, int depth) {
            TR<TBODY<TABLE<DIV<Hamlet>>>> row = body.tr();
            row.td()
                    .$class("label " + schedulable.kind())
                    .$style(indent(depth))
                    .__(schedulable.name())
                    .__();
            row.td()
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
                    .__();
            String of = schedulable.dominantResource().isEmpty() ? "" : " of " + schedulable.dominantResource();
            row.td(percent(schedulable.dominantShare()) + of)
                    .td(percent(schedulable.fairShare()))
                    .td(percent(schedulable.demandShare()))
                    .td(String.valueOf(schedulable.weight()));
            if (limits == null) {
                row.td("").td("").td("").td("").td("").td("");
            } else {
                row.td(used(limits.minimum()))
                        .td(amounts(limits.maximum()))
                        .td(used(limits.mastersUsed()))
                        .td(amounts(limits.mastersLimit()))
                        .td(used(limits.reserved()))
                        .td(String.valueOf(limits.users()));
            }
            row.td(".waits", waiting(schedulable)).__();
        }

        private static String percent(double part) {
            return String.format(Locale.ROOT, "%.1f %%", part * 100);
        }

        private static String used(Map<String, Long> amounts) {
            return amounts.values().stream().allMatch(amount -> amount == 0) ? "" : amounts(amounts);
        }

        private static String amounts(Map<String, Long> amounts) {
            return amounts.entrySet().stream()
                    .map(amount -> amount.getValue() + " " + amount.getKey())
                    .collect(Collectors.joining(", "));
        }

        private static String waiting(SchedulableReport schedulable) {
            if (!schedulable.obstacle().isEmpty()) {
                return "cannot be served: " + schedulable.obstacle();
            }
            return schedulable.blocked() ? "for its turn" : "";
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
