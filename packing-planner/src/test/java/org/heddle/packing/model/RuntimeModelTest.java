// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RuntimeModelTest {
    static Stream<RuntimeModel> models() {
        return Stream.of(
                new PowerModel(600, -0.7, 12),
                new ErnestModel(20, 500, 3, 0.5),
                new WaveModel(10, 7, 20),
                new PinnedModel(new PowerModel(600, -0.7), 3));
    }

    @ParameterizedTest
    @MethodSource("models")
    void aCorrectedModelIsOffByThatMuchAtEveryCount(RuntimeModel model) {
        for (int n = 3; n < 20; n++) {
            assertThat(model.plus(5).seconds(n)).isCloseTo(model.seconds(n) + 5, within(1e-9));
            assertThat(model.times(0.8).seconds(n)).isCloseTo(model.seconds(n) * 0.8, within(1e-9));
        }
    }
}
