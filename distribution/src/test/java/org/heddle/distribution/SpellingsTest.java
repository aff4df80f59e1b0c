// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.settings.command.DurationConverter;
import org.heddle.settings.command.SizeConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Every option of every command takes all spellings of durations and sizes; a new option cannot be forgotten. */
class SpellingsTest {
    private static final List<String> SIZES =
            List.of("10240", "10240M", "10240mb", "10G", "10g", "10GB", "10gb", "10Gi", "10gi", "10 GiB", "10.0g");
    private static final List<String> TWO_HOURS = List.of("7200000ms", "7200s", "120m", "120min", "2h", "2H", "2 h");

    /** Names, labels and texts of options that are about a length of time or an amount of memory. */
    private static final Pattern TIME = Pattern.compile(
            "\\b(seconds?|minutes?|hours?|days?|millis(econds)?|duration|timeout|how long|longest|interval|time"
                    + " (for|until|between|that)|length of)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern SIZE =
            Pattern.compile("\\b(mem(ory)?|size|heap|[kmg]i?b|bytes)\\b", Pattern.CASE_INSENSITIVE);

    /** They have these words for another reason: slots times seconds, percents, counts of tasks and runs. */
    private static final Set<String> OTHERS = Set.of(
            "heddle market quote SLOT-SECONDS",
            "heddle market quote --reduces",
            "heddle market agent deadline --work",
            "heddle market agent budget --work",
            "heddle pack fit --io-above",
            "heddle pack profile --io-above",
            "heddle pack profile --pair-runs");

    static Stream<ArgSpec> arguments() throws ClassNotFoundException {
        List<ArgSpec> all = new ArrayList<>();
        add(Commands.all(), all);
        return all.stream();
    }

    private static void add(CommandLine command, List<ArgSpec> all) {
        all.addAll(command.getCommandSpec().args());
        command.getSubcommands().values().forEach(each -> add(each, all));
    }

    private static String name(ArgSpec argument) {
        String own = argument.isOption() ? ((OptionSpec) argument).longestName() : argument.paramLabel();
        return argument.command().qualifiedName() + " " + own;
    }

    private static String words(ArgSpec argument) {
        return (name(argument) + " " + argument.paramLabel() + " " + String.join(" ", argument.description()))
                .replace('-', ' ');
    }

    private static boolean has(ArgSpec argument, Class<?> converter) {
        return Stream.of(argument.converters()).anyMatch(converter::isInstance);
    }

    private static Object convert(ArgSpec argument, String text) throws Exception {
        ITypeConverter<?> converter = argument.converters()[0];
        return converter.convert(text);
    }

    @ParameterizedTest
    @MethodSource("arguments")
    void everySpellingIsTaken(ArgSpec argument) throws Exception {
        if (has(argument, DurationConverter.class)) {
            assertThat(argument.paramLabel()).as(name(argument)).isEqualTo("DURATION");
            for (String spelling : TWO_HOURS) {
                assertThat(convert(argument, spelling)).as(name(argument)).isEqualTo(Duration.ofHours(2));
            }
            assertThatThrownBy(() -> convert(argument, "soon")).isInstanceOf(TypeConversionException.class);
        } else if (has(argument, SizeConverter.class)) {
            assertThat(argument.paramLabel()).as(name(argument)).isEqualTo("SIZE");
            for (String spelling : SIZES) {
                assertThat(convert(argument, spelling)).as(name(argument)).isEqualTo(10_240);
            }
            assertThatThrownBy(() -> convert(argument, "much")).isInstanceOf(TypeConversionException.class);
        } else {
            assertThat(List.of("DURATION", "SIZE", "SECONDS", "MINUTES", "HOURS", "DAYS", "MIB", "MB"))
                    .as("%s needs DurationConverter or SizeConverter", name(argument))
                    .doesNotContain(argument.paramLabel());
        }
    }

    @Test
    void noOptionReadsADurationOrASizeByItself() throws ClassNotFoundException {
        assertThat(arguments()
                        .filter(argument ->
                                !has(argument, DurationConverter.class) && !has(argument, SizeConverter.class))
                        .filter(argument -> Number.class.isAssignableFrom(argument.type())
                                || (argument.type().isPrimitive() && argument.type() != boolean.class))
                        .filter(argument -> TIME.matcher(words(argument)).find()
                                || SIZE.matcher(words(argument)).find())
                        .map(SpellingsTest::name))
                .as("options with numbers that are about time or memory: use DurationConverter or SizeConverter")
                .containsExactlyInAnyOrderElementsOf(OTHERS);
    }

    @Test
    void allCommandsAreRead() throws ClassNotFoundException {
        assertThat(arguments().map(SpellingsTest::name))
                .contains(
                        "heddle market price --forecast",
                        "heddle batch qsub --mem",
                        "heddle doctor --timeout",
                        "heddle whatif --container",
                        "heddle pack plan --time-limit",
                        "heddle install --hadoop-home")
                .hasSizeGreaterThan(200);
    }
}
