// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.heddle.packing.RandomProblems;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.cli.Planners;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.Planner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilesTest {
    private static final String MINIMAL =
            "{\"id\":\"x\",\"P\":9,\"k\":2,\"r\":2,\"alpha\":1.3,\"jobs\":[{\"name\":\"sort#1\",\"a\":900.0,\"b\":-0.6,"
                    + "\"cpu\":false,\"io\":true}]}";

    private static JsonSchema schema(String name) {
        try (InputStream in = Objects.requireNonNull(ProblemFile.class.getResourceAsStream(name), name)) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode tree(String json) throws IOException {
        return new ObjectMapper().readTree(json);
    }

    @Test
    void theMinimalFormIsRead() throws IOException {
        Problem problem = ProblemFile.parse("x.json", MINIMAL).problem();
        assertThat(problem.slots()).isEqualTo(18);
        assertThat(problem.jobs().get(0).model().seconds(1)).isEqualTo(900.0);
        assertThat(schema("problem.schema.json").validate(tree(MINIMAL))).isEmpty();
    }

    @Test
    void yamlIsReadToo() {
        String yaml = """
            P: 2
            k: 2
            r: 1
            alpha: {default: 1.2, pairs: [{host: a, extra: b, alpha: 1.5}]}
            jobs:
              - {name: a, io: true, model: {type: ernest, theta: [1, 20, 0, 0.1]}}
              - {name: b, cpu: true, model: {type: waves, tasks: 7, taskSeconds: 3}}
            """;
        Problem problem = ProblemFile.parse("x.yaml", yaml).problem();
        assertThat(problem.alpha().of("a", "b")).isEqualTo(1.5);
        assertThat(problem.alpha().of("b", "a")).isEqualTo(1.2);
        assertThat(problem.jobs().get(1).model().seconds(3)).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
        "P":9           | "P":0            | P: must be a whole number of machines
        "P":9           | "P":9.5          | P: must be a whole number of machines
        "k":2           | "k":"two"        | k: must be a whole number of disks
        "r":2           | "r":3            | r: must be a whole number from 1 to k = 2
        "alpha":1.3     | "alpha":0.9      | alpha: must be a number from 1
        "alpha":1.3     | "beta":1.3       | alpha: must be a number from 1 to 1000 (1 = no penalty), is missing
        "a":900.0       | "a":-1           | jobs[0].a: must be a number of seconds > 0, is -1
        "a":900.0       | "a":1e308        | jobs[0].a: must be a number of seconds > 0, at most 1e12, is
        "a":900.0       | "a":1e400        | jobs[0].a: must be a number of seconds > 0, at most 1e12, is too large for a number
        "k":2           | "k":5e9          | k: must be a whole number of disks per machine from 1 to 1000, is 5
        "b":-0.6        | "b":0.6          | jobs[0].b: must be a number from -20 to 0
        "b":-0.6        | "b":null         | jobs[0].b: must be a number from -20 to 0
        "name":"sort#1" | "name":""        | jobs[0].name: must be a text
        "name":"sort#1" | "name":"a\\u001bb" | jobs[0].name: must be a text without line breaks and control characters
        "cpu":false     | "cpu":"no"       | jobs[0].cpu: must be true or false
        "id":"x"        | "version":2      | version: is unknown; this program reads version 1
        """)
    void aViolationIsNamedWithItsPathAndRefusedByTheSchema(String good, String bad, String message) throws IOException {
        String text = MINIMAL.replace(good, bad);
        assertThat(text).isNotEqualTo(MINIMAL);
        assertThatThrownBy(() -> ProblemFile.parse("x.json", text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(message);
        if (!bad.equals("\"r\":3")) {
            assertThat(schema("problem.schema.json").validate(tree(text))).isNotEmpty();
        }
    }

    @Test
    void allViolationsAreNamedAtOnce() {
        String text =
                MINIMAL.replace("\"P\":9", "\"P\":-1").replace("900.0", "\"x\"").replace("\"k\":2", "\"k\":0");
        assertThatThrownBy(() -> ProblemFile.parse("x.json", text))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        e -> assertThat(e.violations()).hasSizeGreaterThanOrEqualTo(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"P\":1,\"P\":2}", "", "P: [", "3"})
    void whatIsNoProblemIsRefusedInOneSentence(String text) {
        assertThatThrownBy(() -> ProblemFile.parse("x.json", text)).isInstanceOf(InvalidInputException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {"P": NaN}          | NaN and Infinity are not allowed; give a finite number
        {"P": 1             | the text ends before the document does; is the file complete?
        {"P": -Infinity}    | NaN and Infinity are not allowed; give a finite number
        {"P": 1, "id": "x   | the text ends before the document does; is the file complete?
        {"P": 1, "jobs": [{ | the text ends before the document does; is the file complete?
        {"P": 0x12}         | unexpected character 'x'
        P: 1: 2             | unexpected colon; a text with a colon needs quotes
        P: [                | the text ends before the document does; is the file complete?
        {"P": 01}           | a number must not start with 0
        {"P": 1.}           | a number has no digit after its point
        {"P": +1}           | a number must not start with +
        {"P": tru}          | "tru" is not a value; a text needs double quotes
        {"P": 1} 2          | there is more text after the end of the document
        {"P": 1,}           | unexpected character '}' where a name in double quotes should be
        {"P": "\\q"}        | a text has an unknown escape
        {"P": 1, "P": 2}    | the name occurs twice: 'P'
        {"P": 9}}           | unexpected }
        {"P": [1, 2}        | unexpected }
        {"P": 9,            | the text ends before the document does; is the file complete?
        {"P" 9}             | unexpected character '9' where a colon should be
        {"P": 9 "k": 2}     | unexpected character '"' where a comma should be
        {"P": 9 /* nine */} | JSON has no comments
        {"P": "\\uZZZZ"}    | must be followed by four hexadecimal digits
        P: .nan             | NaN and Infinity are not allowed; give a finite number
        P: "9               | the text ends before the document does; is the file complete?
        P: @9               | a value must not start with @; put the text in quotes
        P: &x 9\\nk: *x     | line 2: the alias *x: aliases are not supported; write the value itself
        P: !!java.util.Date 9 | line 1: the tag java.util.Date is not supported; write a plain value
        P: 9\\n---\\nP: 8    | there is more text after the end of the document
        P: 9\\n   k: 2      | unexpected colon; a text with a colon needs quotes
        jobs:\\n  - a: 1\\n   b: 2 | the indentation does not fit the lines above
        """)
    void syntaxErrorsAreExplainedInOurWords(String line, String reason) {
        String text = line.replace("\\n", "\n");
        assertThatThrownBy(() -> ProblemFile.parse("x.json", text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContainingAny("Feature", "Jackson", "JsonParser", "com.fasterxml", "_ALLOW", "token");
    }

    @Test
    void textsInOtherEncodingsAreNamed() {
        byte[] marked = ("\ufeff" + MINIMAL.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_8);
        assertThat(ProblemFile.parse("x.json", TextFile.decode("x.json", marked))
                        .warnings())
                .isEmpty();
        for (Charset charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            assertThatThrownBy(() -> TextFile.decode("x.json", MINIMAL.getBytes(charset)))
                    .hasMessage("x.json: is a text in UTF-16 or a binary file; save it as UTF-8");
        }
        byte[] latin = "{\n\"id\": \"caf\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> TextFile.decode("x.json", latin))
                .hasMessage("x.json: is not a text in UTF-8 (line 2, byte 13 of the file); save it as UTF-8");
    }

    @Test
    void filesThatCannotBeReadAreNamedWithTheReason(@TempDir Path directory) {
        assertThatThrownBy(() -> ProblemFile.read(directory, System.in))
                .hasMessage(directory + ": cannot be read: it is a directory");
        Path missing = directory.resolve("nowhere").resolve("x.json");
        assertThatThrownBy(() -> ProblemFile.read(missing, System.in)).hasMessage(missing + ": no such file");
        assertThat(TextFile.reason(missing, new NoSuchFileException(missing.toString())))
                .isEqualTo("the directory " + missing.getParent() + " does not exist");
    }

    @Test
    void unknownFieldsAreWarnedOf() {
        String text = MINIMAL.replace("\"cpu\"", "\"cpuu\"");
        assertThat(ProblemFile.parse("x.json", text).warnings())
                .singleElement()
                .asString()
                .startsWith("jobs[0].cpuu: unknown field, ignored (known: a, b, cpu,");
    }

    @Test
    void everyPlanSurvivesItsFileAndKeepsItsSchema() throws IOException {
        Problem problem = RandomProblems.withMeasuredAlpha(RandomProblems.of(3, 4, 3, 2), 3);
        for (Planner planner : Planners.all()) {
            Plan plan = planner.plan(problem, SearchSteps.limit(500));
            String text = PlanFile.write(problem, plan, 0.1).toPrettyString();
            PlanFile.Loaded loaded = PlanFile.parse("plan.json", text);
            assertThat(loaded.plan()).isEqualTo(plan.certified(null)); // files hold no certificate
            assertThat(loaded.problem()).isEqualTo(problem);
            assertThat(schema("plan.schema.json").validate(tree(text)))
                    .as(planner.name())
                    .isEmpty();
            assertThat(schema("problem.schema.json").validate(tree(text).get("problem")))
                    .isEmpty();
        }
    }
}
