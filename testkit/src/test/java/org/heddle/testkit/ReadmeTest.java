// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The recipe in README is the one that {@link RecipesIT} runs. */
@Tag("pure")
class ReadmeTest {
    @Test
    void theRecipeForMapReduceIsTheTestedOne() throws IOException {
        String test = lines(Path.of("src/test/java/org/heddle/testkit/RecipesIT.java"));
        String begin = "// README: a MapReduce job\n";
        String recipe = test.substring(test.indexOf(begin) + begin.length(), test.indexOf("// end of README's text"));
        assertThat(lines(Path.of("README.md"))).contains(recipe);
    }

    /** A file without the indentation of its lines. */
    private static String lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(String::strip).collect(Collectors.joining("\n"));
    }
}
