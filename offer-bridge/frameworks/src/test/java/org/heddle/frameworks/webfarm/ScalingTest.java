// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.heddle.frameworks.webfarm.Scaling.Load;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingTest {
    private static final long CALM = 10_000;

    private final Scaling scaling = new Scaling(1, 5, 10, CALM);

    @ParameterizedTest(name = "{0} sessions, {1} queued, {2} servers: {3}")
    @CsvSource({
        "0, 0, 0, 1",
        "10, 0, 1, 1",
        "11, 0, 1, 2",
        "10, 1, 1, 2",
        "25, 10, 2, 4",
        "900, 100, 2, 5",
        "0, 0, 1, 1"
    })
    void growsAtOnce(int sessions, int queued, int servers, int expected) {
        assertThat(scaling.wanted(new Load(sessions, queued), servers, 0)).isEqualTo(expected);
    }

    @Test
    void shrinksByOneAfterEachCalmTime() {
        Load little = new Load(3, 0);
        assertThat(scaling.wanted(little, 4, 0)).isEqualTo(4);
        assertThat(scaling.wanted(little, 4, CALM - 1)).isEqualTo(4);
        assertThat(scaling.wanted(little, 4, CALM)).isEqualTo(3);
        assertThat(scaling.wanted(little, 3, CALM + 1)).isEqualTo(3);
        assertThat(scaling.wanted(little, 3, 2 * CALM)).isEqualTo(2);
    }

    @Test
    void aPeakBeginsTheCalmTimeAnew() {
        Load little = new Load(3, 0);
        assertThat(scaling.wanted(little, 2, 0)).isEqualTo(2);
        assertThat(scaling.wanted(new Load(15, 0), 2, CALM / 2)).isEqualTo(2);
        assertThat(scaling.wanted(little, 2, CALM)).isEqualTo(2);
        assertThat(scaling.wanted(little, 2, 2 * CALM)).isEqualTo(1);
    }

    @Test
    void readsWhatHaproxySays() throws Exception {
        String answer = """
                # pxname,svname,qcur,qmax,scur,smax
                web,FRONTEND,,,70,80
                farm,s1,0,0,20,20
                farm,s2,0,0,,20
                farm,BACKEND,30,40,50,60
                """;
        Haproxy.Stats stats = Haproxy.parse(answer);
        assertThat(stats.load()).isEqualTo(new Load(20, 30));
        assertThat(stats.sessions())
                .containsEntry("s1", 20)
                .containsEntry("s2", 0)
                .hasSize(2);
        assertThatThrownBy(() -> Haproxy.parse("Permission denied\n")).hasMessageContaining("no header");
    }
}
