// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.edit.SpecChange;
import org.heddle.scheduler.config.edit.SpecEditor;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.fair.FairWriter;
import org.heddle.scheduler.config.read.Samples;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each setting of a queue has from its definition alone: nothing of it can be forgotten. */
@Tag("pure")
class QueueSettingsTest {
    private static final String AMOUNT = "<resource name=\"memory-mb\">512</resource>";
    private static final String GUARANTEE = "<guaranteed-resources>" + AMOUNT + "</guaranteed-resources>";

    /** Values of settings whose type does not say enough. */
    private static final Map<QueueSetting<?>, String> VALUES = Map.of(
            QueueSettings.STOPPED, "stopped",
            QueueSettings.DIVIDE_BY, "applications",
            QueueSettings.NODE_LABELS, "gpu",
            QueueSettings.DEFAULT_NODE_LABEL, "gpu");

    private static final Map<QueueSetting<?>, String> ELEMENTS = Map.of(
            QueueSettings.WEIGHT, "<weight>2</weight>",
            QueueSettings.PLAN, "<plan/>",
            QueueSettings.PRIORITIES, "<max-application-priority users=\"ada\">3</max-application-priority>",
            QueueSettings.LABEL_CAPACITIES,
                    "<node-label name=\"gpu\"><max-resources>" + AMOUNT + "</max-resources></node-label>",
            QueueSettings.USER_WEIGHTS, "<user name=\"ada\"><weight>2</weight></user>");

    /** Without their keys an element with the name stays, which says nothing. */
    private static final Set<QueueSetting<?>> KEEP_THEIR_NAMES =
            Set.of(QueueSettings.LABEL_CAPACITIES, QueueSettings.USER_WEIGHTS);

    /** Listed as lost whatever their value: of these, FairScheduler does not even have the default. */
    private static final Set<QueueSetting<?>> ALWAYS_LOST =
            Set.of(QueueSettings.USER_ORDER, QueueSettings.FAIR_SHARE_PREEMPTION_TARGET);

    static List<QueueSetting<?>> settings() {
        return QueueSettings.ALL;
    }

    private static String element(QueueSetting<?> setting) {
        String name = setting.name();
        return switch (setting.form()) {
            case TEXT -> "<" + name + ">" + VALUES.getOrDefault(setting, text(setting.fallback())) + "</" + name + ">";
            case ORDER -> "<" + name + ">fifo</" + name + ">";
            case AMOUNTS -> "<" + name + ">" + AMOUNT + "</" + name + ">";
            case PEOPLE -> "<" + name + " users=\"ada\"/>";
            case OWN -> Objects.requireNonNull(ELEMENTS.get(setting), name);
        };
    }

    private static String text(Object fallback) {
        if (fallback instanceof Integer) {
            return "3";
        }
        if (fallback instanceof Long) {
            return "2h";
        }
        return fallback instanceof Double ? "95%" : "false";
    }

    private static String file(QueueSetting<?> setting, String inside) {
        String guarantee = setting.equals(QueueSettings.GUARANTEED_RESOURCES) ? "" : GUARANTEE;
        return "<heddle-scheduler version=\"1\"><preemption><mode>on</mode></preemption>"
                + Samples.queues("<submit/><queue name=\"a\">" + guarantee + inside + "</queue>")
                        .replaceFirst("<heddle[^>]*>", "");
    }

    private static QueueSpec queue(SchedulerSpec spec) {
        return spec.root().children().get(0);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void isReadWrittenAndReadAgain(QueueSetting<?> setting) throws ConfigurationException {
        SchedulerSpec spec = Samples.read(file(setting, element(setting)));

        assertThat(queue(spec).get(setting)).isNotEqualTo(setting.fallback());
        assertThat(Samples.read(SpecWriter.write(spec, List.of()))).isEqualTo(spec);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void isRemovedAndSetByItsKey(QueueSetting<?> setting) throws ConfigurationException {
        byte[] usual = bytes(file(setting, ""));
        byte[] with = bytes(file(setting, element(setting)));
        Map<String, String> keys = new TreeMap<>();
        SpecEditor.listing("f", with).forEach((key, value) -> keys.put(key.replace("root.a:", ""), value));
        SpecEditor.listing("f", usual).keySet().forEach(key -> keys.remove(key.replace("root.a:", "")));
        Map<String, String> none = new TreeMap<>(keys);
        none.replaceAll((key, value) -> "");

        assertThat(keys).isNotEmpty().allSatisfy((key, value) -> assertThat(key).startsWith(setting.name()));
        assertThat(changed(usual, keys)).isEqualTo(read(with));
        if (!KEEP_THEIR_NAMES.contains(setting)) {
            assertThat(changed(with, none)).isEqualTo(read(usual));
        }
    }

    private static SchedulerSpec changed(byte[] file, Map<String, String> keys) throws ConfigurationException {
        SpecChange.OfQueue queue = new SpecChange.OfQueue("root.a", keys);
        return read(SpecEditor.change("f", file, new SpecChange(List.of(), List.of(), List.of(queue), Map.of())));
    }

    private static SchedulerSpec read(byte[] file) throws ConfigurationException {
        return Samples.read(new String(file, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void isInTheSummaryAndTheReference(QueueSetting<?> setting) throws ConfigurationException, IOException {
        SchedulerSpec usual = Samples.read(file(setting, ""));
        SchedulerSpec spec = Samples.read(file(setting, element(setting)));

        assertThat(summary(spec)).isNotEqualTo(summary(usual));
        assertThat(Files.readString(Path.of("..", "docs", "config.md")))
                .contains("| `<" + setting.name() + ">`")
                .contains(setting.doc());
    }

    private static String summary(SchedulerSpec spec) {
        StringWriter text = new StringWriter();
        new SpecSummary(spec).print(new PrintWriter(text, true));
        return text.toString();
    }

    /** FairScheduler's file has it, or it is listed as lost. */
    @ParameterizedTest
    @MethodSource("settings")
    void isConvertedOrListedAsLost(QueueSetting<?> setting) throws ConfigurationException {
        FairWriter.Result usual = FairWriter.write(Samples.read(file(setting, "")));
        FairWriter.Result with = FairWriter.write(Samples.read(file(setting, element(setting))));

        if (ALWAYS_LOST.contains(setting)) {
            assertThat(with.lost()).anyMatch(line -> line.contains("shares of users"));
            assertThat(with.lost()).anyMatch(line -> line.contains("<fair-share-preemption-target>"));
        } else if (setting.fair().isEmpty()) {
            assertThat(with.lost()).isNotEqualTo(usual.lost());
        } else {
            assertThat(with.text()).contains("<" + setting.fair()).isNotEqualTo(usual.text());
        }
    }
}
