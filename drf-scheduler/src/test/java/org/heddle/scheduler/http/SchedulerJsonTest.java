// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerJsonTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "-0.0, 0.0",
        "1, 1.0",
        "0.5, 0.5",
        "0.1, 0.1",
        "1e-9, 0.000000001",
        "4e-10, 0.0",
        "1.7, 1.7",
        "12.25, 12.25",
        "0.3333333333333, 0.333333333",
        "0.9999999999, 1.0",
        "1000000, 1000000.0",
        "123456.000000001, 123456.000000001",
        "2e6, 2000000.0",
        "NaN, null",
        "Infinity, null"
    })
    void aShareHasNineDigits(double share, String written) throws IOException {
        assertThat(write(share)).isEqualTo("{\"share\":" + written + "}");
    }

    @Test
    void aShareThatIsReadIsTheOneThatWasWritten() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            double share = random.nextDouble() * Math.pow(10, random.nextInt(9) - 3);
            assertThat(new ObjectMapper().readTree(write(share)).get("share").asDouble())
                    .isEqualTo(share, within(5.1e-10));
        }
    }

    private static String write(double share) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.writeStartObject();
            SchedulerJson.share(json, "share", share);
            json.writeEndObject();
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
