// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLStreamHandler;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsUrlStreamHandlerFactory;
import org.jspecify.annotations.Nullable;

/** Where a configuration file can be: on the class path, or in a file system that Hadoop supports. */
final class ConfigurationLocations implements Function<String, @Nullable URL> {
    private final Configuration conf;
    private final FsUrlStreamHandlerFactory handlers;

    ConfigurationLocations(Configuration conf) {
        this.conf = conf;
        this.handlers = new FsUrlStreamHandlerFactory(conf);
    }

    @Override
    public @Nullable URL apply(String name) {
        if (!name.contains("://")) {
            return conf.getResource(name);
        }
        URLStreamHandler handler =
                handlers.createURLStreamHandler(URI.create(name).getScheme());
        try {
            return handler == null ? null : new URL(null, name, handler);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
