// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.schema.ElementSchema.Valued;
import org.heddle.scheduler.model.QueueSetting;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every element of the queue file that takes a size or a duration takes all spellings; a new one cannot be forgotten.
 */
@Tag("pure")
class SpellingsTest {
    private static final List<String> SIZES =
            List.of("10240", "10240M", "10240mb", "10G", "10g", "10GB", "10gb", "10Gi", "10gi", "10 GiB", "10.0g");
    private static final List<String> TWO_HOURS = List.of("7200000ms", "7200s", "120m", "120min", "2h", "2H", "2 h");
    private static final KnownNames NAMES =
            KnownNames.of(List.of("drf", "fifo"), Map.of("memory-mb", "Mi", "vcores", ""));

    /** The ways from the outermost element to each one in which resources with amounts may stand. */
    static Stream<List<ElementSchema>> amounts() {
        List<List<ElementSchema>> found = new ArrayList<>();
        descend(List.of(ConfigSchema.FILE), found);
        return found.stream();
    }

    private static void descend(List<ElementSchema> way, List<List<ElementSchema>> found) {
        for (ElementSchema child : ConfigSchema.CHILDREN.getOrDefault(way.get(way.size() - 1), List.of())) {
            List<ElementSchema> longer = new ArrayList<>(way);
            longer.add(child);
            if (child.name().equals("resource") && String.valueOf(child.text()).contains("unit")) {
                found.add(longer);
            } else if (!way.contains(child)) {
                descend(longer, found);
            }
        }
    }

    private static SchedulerSpec read(List<ElementSchema> way, String amount) throws ConfigurationException {
        StringBuilder file = new StringBuilder();
        way.forEach(element -> file.append('<').append(element.name()).append(attributes(element)));
        file.append(amount);
        for (int i = way.size() - 1; i > 0; i--) {
            file.append("</").append(way.get(i).name()).append('>');
        }
        file.append(way.contains(ConfigSchema.QUEUE) ? "" : "<queue name=\"root\"/>");
        file.append("</").append(way.get(0).name()).append('>');
        return new SpecReader(NAMES).read("file", file.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String attributes(ElementSchema element) {
        if (element.equals(ConfigSchema.FILE)) {
            return " version=\"1\">";
        }
        Map<ElementSchema, String> names = Map.of(ConfigSchema.QUEUE, "root", LabelSchema.NODE_LABEL, "gpu");
        String usual = element.name().equals("resource") ? "memory-mb" : "";
        String name = names.getOrDefault(element, usual);
        return name.isEmpty() ? ">" : " name=\"" + name + "\">";
    }

    @ParameterizedTest
    @MethodSource("amounts")
    void everySizeMayBeSpelledInEveryWay(List<ElementSchema> way) throws ConfigurationException {
        SchedulerSpec expected = read(way, SIZES.get(0));
        for (String spelling : SIZES) {
            assertThat(read(way, spelling)).as(spelling).isEqualTo(expected);
        }
        for (String wrong : List.of("0.3g", "10x", "-1G", "ten", "10 G B")) {
            assertThatThrownBy(() -> read(way, wrong)).as(wrong).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void noAmountIsForgotten() {
        assertThat(amounts().map(way -> way.get(way.size() - 2).name()))
                .contains("max-resources", "guaranteed-resources", "minimum-offer", "increment-allocation");
    }

    @Test
    void everyDurationMayBeSpelledInEveryWay() throws IllegalAccessException {
        List<String> durations = new ArrayList<>();
        List<Valued<?>> all = new ArrayList<>();
        for (Class<?> schema : List.of(
                ConfigSchema.class,
                AllocationSchema.class,
                LabelSchema.class,
                PlanSchema.class,
                PreemptionSchema.class)) {
            for (Field field : schema.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == Valued.class) {
                    all.add((Valued<?>) field.get(null));
                }
            }
        }
        QueueSettings.ALL.stream()
                .filter(setting -> setting.form() == QueueSetting.Form.TEXT)
                .forEach(setting -> all.add(ConfigSchema.valuedOf(setting)));
        for (Valued<?> valued : all) {
            if (valued.kind().what().contains("duration")) {
                durations.add(valued.element().name());
                TWO_HOURS.forEach(spelling -> assertThat(valued.kind().parse(spelling))
                        .as("%s %s", valued.element().name(), spelling)
                        .isEqualTo(7_200_000L));
            } else {
                assertThat(valued.fallback())
                        .as("a Long that is no duration: %s", valued.element().name())
                        .isNotInstanceOf(Long.class);
            }
        }
        assertThat(durations)
                .contains(
                        "node-locality",
                        "grace-period",
                        "window",
                        "usage-half-life",
                        "max-application-lifetime",
                        "default-application-lifetime",
                        "guarantee-preemption-timeout",
                        "fair-share-preemption-timeout");
    }
}
