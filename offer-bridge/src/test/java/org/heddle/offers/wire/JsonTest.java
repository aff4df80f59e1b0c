// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static String pid(String document) throws IOException {
        return Json.textField(document.getBytes(StandardCharsets.UTF_8), "pid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"pid\":\"master@h:5050\"}",
                "{ \"pid\" : \"master@h:5050\" , \"port\": 5050 }",
                "{\"port\":5050,\"address\":{\"pid\":\"other\"},\"list\":[{\"pid\":\"other\"}],\"pid\":\"master@h:5050\"}",
                "{\"pid\":7,\"pid\":\"master\\u0040h:5050\"}"
            })
    void aTextFieldIsFoundWhereverItIs(String document) throws IOException {
        assertThat(pid(document)).isEqualTo("master@h:5050");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> pid("{\"address\":{\"pid\":\"other\"}}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pid");
        assertThatThrownBy(() -> pid("{\"pid\"")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> pid("")).isInstanceOf(IOException.class);
    }
}
