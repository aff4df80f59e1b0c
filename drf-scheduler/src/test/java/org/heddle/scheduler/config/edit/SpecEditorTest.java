// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.read.Samples;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class SpecEditorTest {
    private static final String SMALL = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- Whose file it is. -->
            <heddle-scheduler version="1">
              <queue name="root">
                <submit/>
                <!-- Why there is a queue a. -->
                <queue name="a">
                  <weight>2</weight> <!-- twice as much -->
                  <max-resources>
                    <resource name="memory-mb">1 GiB</resource>
                    <resource name="memory-mb">50%</resource>
                  </max-resources>
                </queue>
                <queue name="b"><queue name="c"/></queue>
              </queue>
            </heddle-scheduler>
            """;

    private static final SpecChange NOTHING = new SpecChange(List.of(), List.of(), List.of(), Map.of());

    private static String change(String file, SpecChange change) throws ConfigurationException {
        return new String(
                SpecEditor.change("heddle-scheduler.xml", file.getBytes(StandardCharsets.UTF_8), change),
                StandardCharsets.UTF_8);
    }

    private static SpecChange update(String path, Map<String, String> settings) {
        return new SpecChange(List.of(), List.of(), List.of(new SpecChange.OfQueue(path, settings)), Map.of());
    }

    private static SortedMap<String, String> listing(String file) throws ConfigurationException {
        return SpecEditor.listing("heddle-scheduler.xml", file.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsNotNamedStaysLetterForLetter() throws ConfigurationException {
        assertThat(change(SMALL, NOTHING)).isEqualTo(SMALL);
        assertThat(change(SMALL, update("root.a", Map.of("weight", "3"))))
                .isEqualTo(SMALL.replace("<weight>2</weight>", "<weight>3</weight>"));
    }

    @Test
    void queuesComeGoAndChangeInOneGo() throws ConfigurationException {
        String after = change(
                SMALL,
                new SpecChange(
                        List.of("root.b", "root.b.c"),
                        List.of(
                                new SpecChange.OfQueue("root.d.e", Map.of("user.ada.lovelace.weight.vcores", "2")),
                                new SpecChange.OfQueue("root.d", Map.of("weight", "4", "submit.users", "ada,bob"))),
                        List.of(new SpecChange.OfQueue(
                                "root.a", Map.of("max-resources.memory-mb", "2 GiB", "weight", "", "order", "fifo"))),
                        Map.of(
                                "max-assign",
                                "7",
                                "scheduling-delays.node-locality",
                                "2s",
                                "user-limits.user.ada",
                                "3")));

        SchedulerSpec spec = Samples.read(after);
        assertThat(spec.root().all().map(QueueSpec::path)).containsExactly("root", "root.a", "root.d", "root.d.e");
        assertThat(after).contains("<!-- Why there is a queue a. -->").doesNotContain("<weight>2</weight>");
        assertThat(listing(after))
                .containsEntry("root.a:max-resources.memory-mb", "2 GiB")
                .containsEntry("root.a:order", "fifo")
                .containsEntry("root.d:submit.users", "ada,bob")
                .containsEntry("root.d.e:user.ada.lovelace.weight.vcores", "2")
                .containsEntry("max-assign", "7")
                .containsEntry("scheduling-delays.node-locality", "2s")
                .containsEntry("user-limits.user.ada", "3")
                .containsEntry("root:submit", "true")
                .doesNotContainKey("root.a:weight");
        assertThat(listing(change(after, update("root.a", Map.of("max-resources.memory-mb", "")))))
                .doesNotContainKeys("root.a:max-resources.memory-mb", "root.a:max-resources");
    }

    /** The listing says all but placement: a file that is built from it means the same. */
    @Test
    void whatIsListedCanBeSet() throws ConfigurationException {
        SortedMap<String, String> listing = listing(Samples.FULL);
        Map<String, Map<String, String>> queues = new TreeMap<>();
        Map<String, String> global = new TreeMap<>();
        listing.forEach((key, value) -> {
            int colon = key.indexOf(':');
            if (colon >= 0) {
                queues.computeIfAbsent(key.substring(0, colon), path -> new TreeMap<>())
                        .put(key.substring(colon + 1), value);
            } else if (value.equals("queue")) {
                queues.computeIfAbsent(key, path -> new TreeMap<>());
            } else {
                global.put(key, value);
            }
        });
        List<SpecChange.OfQueue> add = new ArrayList<>();
        queues.forEach((path, settings) -> {
            if (!path.equals("root")) {
                add.add(new SpecChange.OfQueue(path, settings));
            }
        });
        String empty = "<heddle-scheduler version=\"1\"><queue name=\"root\"/></heddle-scheduler>";
        String built = change(
                empty,
                new SpecChange(
                        List.of(),
                        add,
                        List.of(new SpecChange.OfQueue("root", queues.getOrDefault("root", Map.of()))),
                        global));

        assertThat(listing(built)).isEqualTo(listing);
        SchedulerSpec full = Samples.read(Samples.FULL);
        SchedulerSpec read = Samples.read(built);
        assertThat(read.root().all().toList()).containsExactlyInAnyOrderElementsOf(sorted(full, read));
        assertThat(read.resourceWeights()).isEqualTo(full.resourceWeights());
        assertThat(read.schedulingDelays()).isEqualTo(full.schedulingDelays());
        assertThat(read.preemption()).isEqualTo(full.preemption());
        assertThat(read.rules()).isEqualTo(full.rules());
    }

    /** The queues of one specification in the order of another, which is that of the file. */
    private static List<QueueSpec> sorted(SchedulerSpec full, SchedulerSpec like) {
        return like.root()
                .all()
                .map(queue -> full.root()
                        .all()
                        .filter(other -> other.path().equals(queue.path()))
                        .findFirst()
                        .map(other -> other.children().isEmpty() ? other : queue)
                        .orElseThrow())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root.a | wieght | 2 | root.a:wieght = '2': is no key here: must be one of",
                "root.a | wieght | 2 | did you mean weight?",
                "root.a | max-resources | 2 | root.a:max-resources = '2': must be true, or empty to take it away",
                "root.a | queue.name | x | root.a:queue.name = 'x': is no key here",
                "root.a | user.weight | 2 | root.a:user.weight = '2': is no key here",
                "root.x | weight | 2 | root.x: is not a queue of this file: add it",
                "a | weight | 2 | a: is not a queue of this file",
            })
    void whatCannotBeSetIsSaid(String path, String key, String value, String sentence) {
        refused(update(path, Map.of(key, value)), sentence);
    }

    /** Whoever may edit over the network must not read files or the environment of the ResourceManager. */
    @ParameterizedTest
    @ValueSource(
            strings = {"${env:HOME}", "${sys:user.home}", "${file:UTF-8:/etc/passwd}", "${const:java.io.File.separator}"
            })
    void whatIsSetStaysAsItIsWritten(String expression) throws ConfigurationException {
        String after = change(SMALL, update("root.a", Map.of("submit.users", expression + ",bob")));

        assertThat(listing(after)).containsEntry("root.a:submit.users", expression + ",bob");
        assertThat(Samples.read(after).root().all().filter(queue -> queue.path().equals("root.a")))
                .singleElement()
                .satisfies(queue -> assertThat(queue.submit().users()).containsExactlyInAnyOrder(expression, "bob"));
        assertThat(catchThrowableOfType(
                        ConfigurationException.class,
                        () -> Samples.read(change(SMALL, update("root.a", Map.of("weight", expression))))))
                .hasMessageContaining("<weight> = '" + expression + "'");
    }

    @Test
    void queuesThatCannotComeOrGoAreNamed() {
        refused(
                new SpecChange(List.of("root.b"), List.of(), List.of(), Map.of()),
                "root.b: has queues inside; remove those too, in the same change");
        refused(new SpecChange(List.of("root.x"), List.of(), List.of(), Map.of()), "root.x: is not a queue");
        refused(new SpecChange(List.of("root"), List.of(), List.of(), Map.of()), "root: holds all other queues");
        refused(
                new SpecChange(List.of(), List.of(new SpecChange.OfQueue("root.a", Map.of())), List.of(), Map.of()),
                "root.a: is a queue of this file already; update it");
        refused(
                new SpecChange(List.of(), List.of(new SpecChange.OfQueue("root.x.y", Map.of())), List.of(), Map.of()),
                "root.x.y: has no queue above it in this file");
        refused(
                new SpecChange(List.of(), List.of(), List.of(), Map.of("placement", "user")),
                "placement = 'user': is no key here");
    }

    @Test
    void afairSchedulersFileIsNotChangedByKeys() {
        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> change("<allocations/>", NOTHING));
        assertThat(refused).hasMessageContaining("heddle convert").hasMessageNotContaining("\n");
    }

    private static void refused(SpecChange change, String sentence) {
        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> change(SMALL, change));
        assertThat(refused).hasMessageContaining(sentence).hasMessageNotContaining("\n");
    }
}
