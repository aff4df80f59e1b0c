// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebHooksTest {
    private static final String OURS = "org.heddle.scheduler.http.HeddleFilterInitializer";
    private static final String STATIC_USER = "org.apache.hadoop.http.lib.StaticUserWebFilter";
    private static final String RM_AUTHENTICATION =
            "org.apache.hadoop.yarn.server.security.http.RMAuthenticationFilterInitializer";

    /** S is Hadoop's default, A an admin's own initializer, R the ResourceManager's authentication, H ours. */
    @ParameterizedTest
    @CsvSource({
        "'',    false, R H",
        "S,     false, R S H",
        "A,     false, A H",
        "A S,   false, A S H",
        "R S,   false, R S H",
        "R S H, false, R S H",
        "H,     false, H",
        "'',    true,  H",
        "S,     true,  S H",
        "A,     true,  A H",
    })
    void oursComesLastAndAuthenticationAsWithoutUs(String before, boolean secure, String after) {
        assertThat(WebHooks.withOurs(names(before), secure)).isEqualTo(names(after));
    }

    @Test
    void onHadoopsDefaultsEverythingIsSetAndASecondCallChangesNothing() {
        Configuration conf = new YarnConfiguration();

        WebHooks.install(conf);
        String first = conf.get(HttpServer2.FILTER_INITIALIZER_PROPERTY);
        WebHooks.install(conf);

        assertThat(first).isEqualTo(RM_AUTHENTICATION + "," + STATIC_USER + "," + OURS);
        assertThat(conf.get(HttpServer2.FILTER_INITIALIZER_PROPERTY)).isEqualTo(first);
        assertThat(conf.get("hadoop.http.authentication.type")).isEqualTo("simple");
        assertThat(conf.get(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE))
                .isEqualTo("org.heddle.scheduler.http.HeddleSchedulerPage");
    }

    @Test
    void whatAnAdminHasSetStays() {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE, "com.example.Page");
        conf.set(HttpServer2.FILTER_INITIALIZER_PROPERTY, "com.example.Filters");
        conf.set("hadoop.http.authentication.type", "kerberos");

        WebHooks.install(conf);

        assertThat(conf.get(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE)).isEqualTo("com.example.Page");
        assertThat(conf.get(HttpServer2.FILTER_INITIALIZER_PROPERTY)).isEqualTo("com.example.Filters," + OURS);
        assertThat(conf.get("hadoop.http.authentication.type")).isEqualTo("kerberos");
    }

    private static List<String> names(String letters) {
        return letters.chars()
                .filter(letter -> letter != ' ')
                .mapToObj(letter -> switch (letter) {
                    case 'S' -> STATIC_USER;
                    case 'R' -> RM_AUTHENTICATION;
                    case 'H' -> OURS;
                    default -> "com.example.Filters";
                })
                .toList();
    }
}
