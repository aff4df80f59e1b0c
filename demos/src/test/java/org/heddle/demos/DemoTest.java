// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {
    @ParameterizedTest
    @CsvSource({
        "--help, 0",
        "drf --help, 0",
        "help drf, 0",
        "--version, 0",
        "--seconds 1, 2",
        "--seconds many, 2",
        "--workers 1, 2",
        "drf --scheduler lottery, 2",
        "market --help, 0",
        "market --seconds 1, 2",
        "pack --help, 0",
        "pack --rounds 0, 2",
        "pack --size 0, 2",
        "pack --fitted nowhere.json, 2",
        "late --help, 0",
        "late --maps 1, 2",
        "late --slowdown 1, 2",
        "offers --help, 0",
        "offers --seconds 1, 2",
        "sing, 2",
    })
    void commandLinesAreReadWithoutStartingAnything(String line, int exitCode) {
        assertThat(Demo.run(line.split(" ", -1))).isEqualTo(exitCode);
    }
}
