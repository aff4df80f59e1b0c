// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In a class of its own: Guice's filter is static, so a process can have one ResourceManager's pages at a time. */
class AuthenticationTest {
    @Test
    void authenticationComesBeforeOurServlet() throws Exception {
        Map<String, String> noAnonymous = Map.of("hadoop.http.authentication.simple.anonymous.allowed", "false");
        try (WebServer closed = new WebServer(noAnonymous)) {
            for (String path : List.of("/heddle/", "/heddle/v1/scheduler", "/cluster/scheduler")) {
                assertThat(closed.get(path).statusCode()).as(path).isEqualTo(401);
                assertThat(closed.get(path + "?user.name=alice").statusCode())
                        .as(path)
                        .isEqualTo(200);
            }
        }
    }
}
