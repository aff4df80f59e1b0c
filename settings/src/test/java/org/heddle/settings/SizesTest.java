// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizesTest {
    @ParameterizedTest
    @CsvSource({"64,64", "64Mi,64", "64 MiB,64", "4Gi,4096", "1.5Gi,1536", "1048576ki,1024", "2Ti,2097152", "64m,64"})
    void aSizeIsAWholeNumberOfTheUnit(String text, long mebibytes) {
        assertThat(Sizes.in("Mi", text)).isEqualTo(mebibytes);
    }

    @ParameterizedTest
    @CsvSource({"10240", "10240M", "10240m", "10240mb", "10G", "10g", "10GB", "10gb", "10Gi", "10gi", "10 GiB", "10.0g"
    })
    void allSpellingsOfASizeMeanTheSame(String text) {
        assertThat(Sizes.in("Mi", text)).isEqualTo(10_240);
    }

    @ParameterizedTest
    @CsvSource({"1M", "512x", "1Ei", "-1G", "1 e3", "0.3g", "1e3", "G", "1GiBi", "1Gbit", "１G", "1000000G"})
    void whatIsNoWholeNumberOfTheUnitIsRefused(String text) {
        assertThatThrownBy(() -> Sizes.in("Pi", text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unitsAreDecimalOnlyWhereTheResourceHasADecimalUnit() {
        assertThat(Sizes.in("G", "2T")).isEqualTo(2000);
        assertThat(Sizes.in("k", "125Ki")).isEqualTo(128);
        assertThat(Sizes.in("", "1k")).isEqualTo(1024);
    }

    @Test
    void countsHaveNoUnit() {
        assertThat(Sizes.hasUnit("1 KiB")).isTrue();
        assertThat(Sizes.hasUnit("1")).isFalse();
        assertThat(Sizes.isUnit("Gi")).isTrue();
        assertThat(Sizes.isUnit("G")).isTrue();
        assertThat(Sizes.isUnit("")).isFalse();
        assertThat(Sizes.isUnit("disks")).isFalse();
    }
}
