// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names as Oozie, Hive, Sqoop, Cascading, Pig and people give them. */
class JobNamesTest {
    private static String usual(String name) {
        return JobNames.usual().of(name, property -> null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        oozie:launcher:T=hive:W=daily etl:A=load:ID=0000012-180501000000001-oozie-oozi-W | oozie:launcher:T=hive:W=daily etl:A=load
        oozie:action:T=map-reduce:W=sums:A=join:ID=0000771-230917104512345-oozie-oozi-W  | oozie:action:T=map-reduce:W=sums:A=join
        select * from t where day='2024-01-31' a...10(Stage-1)      | select * from t where day='*' a...10(Stage-1)
        insert into t values (1700000000)(Stage-2)                  | insert into t values (*)(Stage-2)
        [9E107D9D372BB6826BD81D3542A419D6/5E53CAF0EC2D4E8C] copy/(1/3) | [*/*] copy/(1/3)
        codegen_orders.jar                                          | codegen_orders.jar
        PigLatin:report.pig                                         | PigLatin:report.pig
        export 550e8400-e29b-41d4-a716-446655440000                 | export *
        backup 2024-01-31T04:05:06.789Z                             | backup *
        job_1700000000000_0042 again                                | job_* again
        word count 12                                               | word count 12
        TeraSort 10g                                                | TeraSort 10g
        Facade of feedface                                          | Facade of feedface
        "   "                                                       | unnamed
        """)
    void whatDiffersAtEachRunIsAStar(String name, String grouped) {
        assertThat(usual(name)).isEqualTo(grouped);
    }

    @Test
    void anyNameIsOneShortLine() {
        assertThat(usual("INSERT OVERWRITE t\nSELECT *\n\tFROM x\u0007(Stage-1)"))
                .isEqualTo("INSERT OVERWRITE t SELECT * FROM x (Stage-1)");
        assertThat(usual("x".repeat(70_000))).hasSize(200);
        assertThat(usual("a\u2028b\u0085c")).isEqualTo("a b c");
    }

    @Test
    void aPatternOrAPropertyNamesJobs() {
        JobNames byPattern = new JobNames(Pattern.compile("^(\\w+) of"), null);
        assertThat(byPattern.of("sums of 20240131", property -> null)).isEqualTo("sums");
        assertThat(byPattern.of("others", property -> null)).isEqualTo("others");
        JobNames byWorkflow = new JobNames(null, "mapreduce.workflow.name");
        assertThat(byWorkflow.of("x", Map.of("mapreduce.workflow.name", "daily etl")::get))
                .isEqualTo("daily etl");
        assertThat(byWorkflow.of("x", Map.<String, String>of()::get)).isEqualTo("x");
    }
}
