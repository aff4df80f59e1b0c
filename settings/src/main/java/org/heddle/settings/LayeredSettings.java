// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.configuration2.AbstractConfiguration;
import org.apache.commons.configuration2.CompositeConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.commons.configuration2.PropertiesConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Settings that come from several places, in one commons-configuration2. Options of the command line come before the
 * environment, that before system properties, those before files; below all are the defaults of the keys. In the
 * environment a key is written in capital letters with {@code _}: {@code heddle.market.url} is
 * {@code HEDDLE_MARKET_URL}. A value is taken as it is written: {@code ${..}} and commas have no meaning.
 */
public final class LayeredSettings {
    private final Map<String, ConfigKey<?>> keys;
    private final CompositeConfiguration all;
    private final List<Layer> layers;

    private LayeredSettings(Builder builder) {
        this.keys = Map.copyOf(builder.keys);
        this.layers = List.copyOf(builder.layers);
        this.all = new CompositeConfiguration();
        all.setInterpolator(null);
        Map<String, Object> fallbacks = new TreeMap<>();
        keys.values().forEach(key -> fallbacks.put(key.name(), key.fallback()));
        layers.forEach(layer -> all.addConfiguration(layer.values));
        all.addConfiguration(plain(new MapConfiguration(fallbacks)));
    }

    /**
     * Starts with no layer.
     *
     * @param prefix what all names start with; other names are left out
     * @param keys every key that there is
     */
    public static Builder builder(String prefix, Collection<? extends ConfigKey<?>> keys) {
        return new Builder(prefix, keys);
    }

    /** The name of a key in the environment. */
    public static String environmentName(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * A value; one that is set to nothing but blanks counts as not set.
     *
     * @throws IllegalArgumentException one sentence with the key, the value, where it is set and what is valid
     */
    public <T> T get(ConfigKey<T> key) {
        try {
            return key.read(this::text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + origin(key.name()), e);
        }
    }

    /** What is set, above the defaults. */
    public boolean isSet(String name) {
        return text(name) != null;
    }

    /** The text that is set for a name, null where none is, defaults aside. */
    public @Nullable String text(String name) {
        Layer layer = layerOf(name);
        return layer == null ? null : layer.values.getString(name).strip();
    }

    /** The first layer that sets a name to more than blanks; null where none does. */
    private @Nullable Layer layerOf(String name) {
        for (Layer layer : layers) {
            String text = layer.values.getString(name);
            if (text != null && !text.isBlank()) {
                return layer;
            }
        }
        return null;
    }

    /** Everything that holds, defaults too. */
    public Configuration configuration() {
        return all;
    }

    /**
     * Where a value comes from, for messages: {@code " (set in the environment as HEDDLE_RM)"}; empty for a default.
     */
    public String origin(String name) {
        Layer layer = layerOf(name);
        if (layer == null) {
            return "";
        }
        return " (set " + layer.place + (layer.environment ? " as " + environmentName(name) : "") + ")";
    }

    /**
     * Checks that every name which is set is one of a key.
     *
     * @throws IllegalArgumentException with all names that are not
     */
    public void refuseUnknown() {
        Set<String> unknown = new TreeSet<>();
        for (Iterator<String> names = all.getKeys(); names.hasNext(); ) {
            String name = names.next();
            if (!keys.containsKey(name)) {
                unknown.add(name + origin(name));
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    String.join(", ", unknown) + ": no such " + (unknown.size() == 1 ? "key" : "keys")
                            + "; the keys are " + String.join(", ", new TreeSet<>(keys.keySet())));
        }
    }

    private static AbstractConfiguration plain(AbstractConfiguration configuration) {
        configuration.setInterpolator(null);
        return configuration;
    }

    /** One place that settings come from. */
    private static final class Layer {
        private final String place;
        private final boolean environment;
        private final AbstractConfiguration values;

        Layer(String place, boolean environment, AbstractConfiguration values) {
            this.place = place;
            this.environment = environment;
            this.values = values;
        }
    }

    /** Adds the layers, the one that counts most first. */
    public static final class Builder {
        private final String prefix;
        private final Map<String, ConfigKey<?>> keys = new LinkedHashMap<>();
        private final List<Layer> layers = new ArrayList<>();

        private Builder(String prefix, Collection<? extends ConfigKey<?>> keys) {
            this.prefix = prefix;
            keys.forEach(key -> this.keys.put(key.name(), key));
        }

        /**
         * A layer from names and texts, such as options or a site file that was read elsewhere.
         *
         * @param place completes the sentence "is set ...", such as {@code by -D}
         */
        public Builder values(String place, Map<String, String> values) {
            Map<String, Object> ours = new TreeMap<>();
            values.forEach((name, text) -> {
                if (name.startsWith(prefix)) {
                    ours.put(name, text);
                }
            });
            layers.add(new Layer(place, false, plain(new MapConfiguration(ours))));
            return this;
        }

        /** The environment; only names of keys are looked for. */
        public Builder environment(Map<String, String> environment) {
            Map<String, Object> ours = new TreeMap<>();
            for (ConfigKey<?> key : keys.values()) {
                String text = environment.get(environmentName(key.name()));
                if (text != null) {
                    ours.put(key.name(), text);
                }
            }
            layers.add(new Layer("in the environment", true, plain(new MapConfiguration(ours))));
            return this;
        }

        /** System properties. */
        public Builder systemProperties(Properties properties) {
            return values(
                    "as a system property",
                    properties.stringPropertyNames().stream()
                            .collect(Collectors.toMap(name -> name, properties::getProperty)));
        }

        /**
         * A properties file, if it is there.
         *
         * @throws IllegalArgumentException if it cannot be read, sets a key twice, or one without the prefix
         */
        public Builder file(Path file) {
            if (!Files.exists(file)) {
                return this;
            }
            PropertiesConfiguration values = new PropertiesConfiguration();
            plain(values);
            values.setIncludesAllowed(false);
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                values.read(reader);
            } catch (IOException | ConfigurationException e) {
                throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
            }
            for (Iterator<String> names = values.getKeys(); names.hasNext(); ) {
                String name = names.next();
                if (!name.startsWith(prefix)) {
                    throw new IllegalArgumentException(
                            file + " sets " + name + ": all names in this file start with " + prefix);
                }
                if (values.getList(name).size() > 1) {
                    throw new IllegalArgumentException(file + " sets " + name + " twice: remove one of the two lines");
                }
            }
            layers.add(new Layer("in " + file, false, values));
            return this;
        }

        public LayeredSettings build() {
            return new LayeredSettings(this);
        }
    }
}
