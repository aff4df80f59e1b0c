// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.schema.ElementSchema.Attribute;
import org.heddle.settings.KeyTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code docs/config.md} equal to the keys and to the format. Run with {@code -Dheddle.docs.write=true} to write
 * it anew.
 */
@Tag("pure")
class ConfigDocTest {
    private static final Path DOC = Path.of("..", "docs", "config.md");

    @Test
    void theDocumentSaysWhatTheCodeDoes() throws IOException {
        String generated = document();
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(DOC, generated);
        }

        assertThat(DOC)
                .as("after a change: ./mvnw -pl drf-scheduler -am test -Dtest=ConfigDocTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.docs.write=true")
                .hasContent(generated);
    }

    private static String document() {
        StringBuilder text = new StringBuilder("""
            # Configuration

            <!-- Generated from SchedulerKeys, ConfigSchema and QueueSettings by ConfigDocTest; do not edit. -->

            Start from `conf-samples/drf/minimal/`; `conf-samples/drf/` shows every element. Other keys: \
            [the market](config-market.md), [the LATE speculator](config-late.md), \
            [the offer bridge](config-bridge.md), [options of commands](commands.md#defaults-of-options).

            A duration is a number and a unit, in all files, keys and commands of Heddle: `ns`, `us`, `ms`, `s`, `m`
            (or `min`), `h` or `d`, as Hadoop reads them. A size is a number and a unit: `k`, `M`, `G`, `T` or `P`, in
            upper or lower case, alone or with `i`, `B` or `iB` behind it. All of them are powers of 1024, as for memory
            everywhere in Hadoop: `4g`, `4G`, `4GB`, `4Gi` and `4096M` are the same. Only amounts of a resource type
            whose unit in YARN is decimal, such as `G`, count `k` to `P` without `i` as powers of 1000. A number without
            a unit is valid where the name of the key has the unit, such as `-ms`, or where the option of a command
            says it.

            ## `yarn-site.xml`

            """);
        text.append(KeyTable.markdown(SchedulerKeys.ALL));
        text.append("""

            ## FairScheduler's keys in `yarn-site.xml`

            They count where a `fair-scheduler.xml` is in force, or no file at all; its elements are explained in \
            [moving in](moving-in.md).

            """);
        text.append(KeyTable.markdown(FairKeys.ALL));
        row(
                text,
                code("yarn.resource-types.RESOURCE.increment-allocation"),
                "memory-mb: 1024, vcores: 1",
                "a whole number, with or without a unit",
                "The step to which container sizes are rounded up.");
        text.append("""

            Without effect, and warned of where they are set:

            | Key | Why |
            |---|---|
            """);
        for (FairKeys.Idle key : FairKeys.IDLE) {
            row(text, code(key.name()), key.why());
        }
        text.append("""

            ## `heddle-scheduler.xml`

            Read at start, when it changes, and on `yarn rmadmin -refreshQueues`. It is valid as a whole or not at \
            all: at start a wrong file stops the ResourceManager with one line; later it leaves the last good one \
            in force, and the log, `/heddle/v1/config` and the scheduler page say what is wrong and where. \
            Elements may stand in any order, except where the order has a meaning (placement steps, queues). \
            Document types and entities are refused.
            """);
        for (Map.Entry<ElementSchema, List<ElementSchema>> entry : ConfigSchema.CHILDREN.entrySet()) {
            section(text, entry.getKey(), entry.getValue());
        }
        return text.toString();
    }

    private static void section(StringBuilder text, ElementSchema rule, List<ElementSchema> children) {
        text.append("\n### ").append(code(tag(rule))).append(where(rule)).append("\n\n");
        text.append(rule.doc()).append('\n');
        for (Attribute attribute : rule.attributes()) {
            text.append("\nAttribute ")
                    .append(code(attribute.name()))
                    .append(attribute.required() ? ": " : " (optional): ")
                    .append(attribute.doc())
                    .append('\n');
        }
        text.append("\n| Inside | Value | Where absent | Meaning |\n|---|---|---|---|\n");
        for (ElementSchema child : children) {
            StringBuilder meaning = new StringBuilder(child.doc());
            if (ConfigSchema.CHILDREN.containsKey(child)) {
                meaning.append(" See below.");
            } else {
                for (Attribute attribute : child.attributes()) {
                    meaning.append(" `").append(attribute.name()).append("`");
                    meaning.append(attribute.required() ? ": " : " (optional): ")
                            .append(attribute.doc());
                }
            }
            row(
                    text,
                    code(tag(child)) + (child.repeats() ? ", any number" : ""),
                    Optional.ofNullable(child.text()).orElse(""),
                    child.fallback(),
                    meaning.toString());
        }
    }

    private static String where(ElementSchema rule) {
        return ConfigSchema.CHILDREN.entrySet().stream()
                .filter(entry ->
                        entry.getValue().contains(rule) && !entry.getKey().equals(rule))
                .map(entry -> " in " + code(tag(entry.getKey())))
                .findFirst()
                .orElse("");
    }

    private static String tag(ElementSchema rule) {
        return "<" + rule.name() + ">";
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static void row(StringBuilder text, String... cells) {
        text.append(KeyTable.row(cells));
    }
}
