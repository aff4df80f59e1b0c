// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayeredSettingsTest {
    private static final ConfigKey<Long> WAIT =
            new ConfigKey<>("heddle.x.max-wait", ValueKind.DURATION_MILLIS, "5s", "");
    private static final ConfigKey<String> NAME = new ConfigKey<>("heddle.x.name", ValueKind.TEXT, "none", "");
    private static final List<ConfigKey<?>> KEYS = List.of(WAIT, NAME);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("heddle.properties");
    }

    private static LayeredSettings.Builder builder() {
        return LayeredSettings.builder("heddle.x.", KEYS);
    }

    private static Properties properties(String name, String text) {
        Properties properties = new Properties();
        properties.setProperty(name, text);
        properties.setProperty("java.home", "/elsewhere");
        return properties;
    }

    @Test
    void optionsComeBeforeEnvironmentBeforePropertiesBeforeFilesBeforeDefaults() throws IOException {
        Files.writeString(file, "heddle.x.name = file\n");
        LayeredSettings.Builder builder = builder();
        assertThat(builder.build().get(NAME)).isEqualTo("none");
        assertThat(builder().file(file).build().get(NAME)).isEqualTo("file");
        assertThat(builder()
                        .systemProperties(properties("heddle.x.name", "property"))
                        .file(file)
                        .build()
                        .get(NAME))
                .isEqualTo("property");
        LayeredSettings three = builder()
                .environment(Map.of("HEDDLE_X_NAME", "environment"))
                .systemProperties(properties("heddle.x.name", "property"))
                .file(file)
                .build();
        assertThat(three.get(NAME)).isEqualTo("environment");
        assertThat(three.configuration().getString("heddle.x.name")).isEqualTo("environment");
        assertThat(three.configuration().getString("heddle.x.max-wait")).isEqualTo("5s");
        assertThat(builder()
                        .values("by -D", Map.of("heddle.x.name", "option"))
                        .environment(Map.of("HEDDLE_X_NAME", "environment"))
                        .build()
                        .get(NAME))
                .isEqualTo("option");
    }

    @Test
    void aWrongValueIsNamedWithItsPlace() throws IOException {
        Files.writeString(file, "heddle.x.max-wait = soon\n");
        assertThatThrownBy(() -> builder().file(file).build().get(WAIT))
                .hasMessage(
                        "heddle.x.max-wait = 'soon': must be a duration from 0ms to 365d, such as 500ms, 1s, 5m or 2h"
                                + " (default 5s) (set in " + file + ")");
        assertThatThrownBy(() -> builder()
                        .environment(Map.of("HEDDLE_X_MAX_WAIT", "1"))
                        .build()
                        .get(WAIT))
                .hasMessageEndingWith("(set in the environment as HEDDLE_X_MAX_WAIT)");
    }

    @Test
    void nothingIsInterpolatedOrSplit() throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "heddle.x.max-wait = 1s\n");
        Files.writeString(
                file,
                "heddle.x.name = a,b ${sys:user.home} ${env:HOME} ${heddle.x.max-wait}\ninclude = " + other + "\n");
        LayeredSettings settings = builder().file(file).build();
        assertThat(settings.get(NAME)).isEqualTo("a,b ${sys:user.home} ${env:HOME} ${heddle.x.max-wait}");
        assertThat(settings.configuration().getString("heddle.x.name")).isEqualTo(settings.get(NAME));
        assertThat(settings.get(WAIT)).as("no other file is included").isEqualTo(5000);
    }

    @Test
    void blankCountsAsNotSet() {
        assertThat(builder()
                        .values("by -D", Map.of("heddle.x.name", " "))
                        .environment(Map.of("HEDDLE_X_NAME", " here "))
                        .build()
                        .get(NAME))
                .isEqualTo("here");
    }

    @Test
    void unknownKeysAreRefusedAllAtOnce() {
        LayeredSettings settings = builder()
                .values("by -D", Map.of("heddle.x.nane", "a", "heddle.x.patience", "1s", "other", "x"))
                .environment(Map.of("HEDDLE_X_OPTS", "-Xmx1g"))
                .build();
        assertThatThrownBy(settings::refuseUnknown)
                .hasMessage("heddle.x.nane (set by -D), heddle.x.patience (set by -D):"
                        + " no such keys; the keys are heddle.x.max-wait, heddle.x.name");
    }

    @Test
    void aFileWithAKeyTwiceOrOfOthersIsRefused() throws IOException {
        Files.writeString(file, "heddle.x.name = a\nheddle.x.name = b\n");
        assertThatThrownBy(() -> builder().file(file)).hasMessageContaining("sets heddle.x.name twice");
        Files.writeString(file, "name = a\n");
        assertThatThrownBy(() -> builder().file(file)).hasMessageContaining("start with heddle.x.");
        assertThat(builder().file(directory.resolve("none")).build().isSet("heddle.x.name"))
                .isFalse();
        assertThatThrownBy(() -> builder().file(directory)).hasMessageContaining("cannot be read");
    }
}
