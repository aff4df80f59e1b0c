// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.List;
import org.heddle.scheduler.model.ConfigKey;
import org.heddle.scheduler.model.ValueKind;

/** The keys in {@code yarn-site.xml}; everything else about the scheduler is said in the file that they name. */
public final class SchedulerKeys {
    /** What every key of the scheduler starts with. */
    public static final String PREFIX = "yarn.scheduler.heddle.";

    public static final ConfigKey<String> CONFIGURATION_FILE = new ConfigKey<>(
            PREFIX + "configuration.file",
            new ValueKind<>(
                    "the name of a resource on the class path, an absolute path or a URI of a file system that Hadoop knows",
                    name -> {
                        if (name.isEmpty()) {
                            throw new IllegalArgumentException();
                        }
                        return name;
                    }),
            SpecLocation.DEFAULT_NAME,
            "Where the queues are configured: a name is looked up on the class path (Hadoop's configuration directory"
                    + " is on it), or give an absolute path or a URI, such as hdfs:///conf/heddle-scheduler.xml."
                    + " If the key is not set and there is no "
                    + SpecLocation.DEFAULT_NAME
                    + ", FairScheduler's file counts; if there is none either, there is one queue, root.default, that is"
                    + " open to everyone.");

    public static final ConfigKey<Long> RELOAD_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "configuration.reload-interval-ms",
            ValueKind.MILLIS,
            "10000",
            "How often the file is looked at for changes; 0 turns that off. `yarn rmadmin -refreshQueues` reads it at"
                    + " once in either case, unless `yarn.scheduler.heddle.configuration.mutable` is set: then YARN refuses"
                    + " that command.");

    public static final ConfigKey<Boolean> MUTABLE = new ConfigKey<>(
            PREFIX + "configuration.mutable",
            new ValueKind<>("true or false", text -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw new IllegalArgumentException();
                }
                return text.equals("true");
            }),
            "false",
            "Whether YARN's administrators may change the file over the network, by `yarn schedconf` and `PUT"
                    + " /ws/v1/cluster/scheduler-conf`. Everyone is an administrator where `yarn.admin.acl` is not set.");

    public static final ConfigKey<Long> HOUSEKEEPING_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "housekeeping-interval-ms",
            ValueKind.MILLIS,
            "1000",
            "How often it is looked for those below their share, for grace periods that are over, and metrics are"
                    + " published; 0 leaves all of that to whoever calls the scheduler's update().");

    public static final ConfigKey<Long> RANDOM_SEED = new ConfigKey<>(
            PREFIX + "random-seed",
            new ValueKind<>("a whole number", Long::parseLong),
            "1",
            "What orders that draw by lot begin with: with the same seed and the same events the same are served.");

    /** Every key, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL =
            List.of(CONFIGURATION_FILE, RELOAD_INTERVAL_MS, MUTABLE, HOUSEKEEPING_INTERVAL_MS, RANDOM_SEED);

    private SchedulerKeys() {}
}
