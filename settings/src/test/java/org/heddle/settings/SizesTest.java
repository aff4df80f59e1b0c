// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({"64,64", "64Mi,64", "64 MiB,64", "4Gi,4096", "1.5Gi,1536", "1048576ki,1024", "2Ti,2097152"})
    void aSizeIsAWholeNumberOfTheUnit(String text, long mebibytes) {
        assertThat(Sizes.in("Mi", text)).isEqualTo(mebibytes);
    }

    @ParameterizedTest
    @CsvSource({"1G", "1M", "512", "1kB", "1Ei", "-1Mi", "1 e3", "4gi"})
    void whatIsNoWholeNumberOfItIsRefused(String text) {
        assertThatThrownBy(() -> Sizes.in("Gi", text + "Z")).isInstanceOf(IllegalArgumentException.class);
        if (!text.equals("512")) {
            assertThatThrownBy(() -> Sizes.in("Gi", text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void decimalAndBinaryUnitsDiffer() {
        assertThat(Sizes.in("", "1k")).isEqualTo(1000);
        assertThat(Sizes.in("", "1Ki")).isEqualTo(1024);
        assertThat(Sizes.hasUnit("1 KiB")).isTrue();
        assertThat(Sizes.hasUnit("1")).isFalse();
        assertThat(Sizes.bytes("Gi")).isEqualTo("1073741824");
        assertThat(Sizes.bytes("disks")).isNull();
    }
}
