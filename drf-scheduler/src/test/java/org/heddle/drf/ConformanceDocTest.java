// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.heddle.scheduler.ProjectFiles;
import org.junit.jupiter.api.Test;

/** docs/conformance.md gives a reason for each of Hadoop's tests that we leave out, and for no other. */
class ConformanceDocTest {
    private static final String ALWAYS = "## Single tests that are excluded\n";
    private static final String WITHOUT_HEARTBEATS = "### Left out without heartbeats\n";
    private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\|([^|]*)\\|");
    private static final Pattern METHOD = Pattern.compile("#(test\\w+)");

    /** The methods in the first column of the table below a heading. */
    private static Set<String> explained(String heading) throws IOException {
        String doc = Files.readString(ProjectFiles.of("docs/conformance.md"));
        assertThat(doc).contains(heading);
        String table = doc.substring(doc.indexOf("|", doc.indexOf(heading)));
        table = table.substring(0, table.indexOf("\n\n"));
        return FIRST_COLUMN
                .matcher(table)
                .results()
                .flatMap(column -> METHOD.matcher(column.group(1)).results())
                .map(method -> method.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> excluded(String mode) throws IOException {
        String list = Files.readString(ProjectFiles.of("drf-scheduler/conformance/suites/excluded-" + mode + ".txt"));
        return METHOD.matcher(list)
                .results()
                .map(method -> method.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachTestThatIsAlwaysLeftOutHasAReason() throws Exception {
        assertThat(explained(ALWAYS)).isEqualTo(excluded("heartbeat"));
    }

    @Test
    void eachTestThatIsLeftOutWithoutHeartbeatsHasAReason() throws Exception {
        Set<String> both = explained(WITHOUT_HEARTBEATS);
        both.addAll(explained(ALWAYS));
        assertThat(both).isEqualTo(excluded("immediate"));
    }
}
