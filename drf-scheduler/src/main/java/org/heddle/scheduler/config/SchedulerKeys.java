// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.List;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.ValueKind;

/** The keys in {@code yarn-site.xml}; all other settings are in the file that they name. */
public final class SchedulerKeys {
    /** Prefix of all keys of the scheduler. */
    public static final String PREFIX = "yarn.scheduler.heddle.";

    public static final ConfigKey<String> CONFIGURATION_FILE = new ConfigKey<>(
            PREFIX + "configuration.file",
            new ValueKind<>(
                    "the name of a resource on the class path, an absolute path or a URI of a file system that Hadoop knows",
                    ValueKind.NAME::parse),
            SpecLocation.DEFAULT_NAME,
            "The file that configures the queues. A name is looked up on the class path, which contains Hadoop's"
                    + " configuration directory; an absolute path or a URI, such as hdfs:///conf/heddle-scheduler.xml,"
                    + " is read directly. If the key is not set and there is no "
                    + SpecLocation.DEFAULT_NAME
                    + ", FairScheduler's file is used; if there is no such file either, there is one queue,"
                    + " root.default, which is open to everyone.");

    public static final ConfigKey<Long> RELOAD_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "configuration.reload-interval-ms",
            ValueKind.MILLIS,
            "10000",
            "Interval between checks whether the file has changed, in milliseconds; 0 turns them off. `yarn rmadmin"
                    + " -refreshQueues` reads the file at once in either case, unless"
                    + " `yarn.scheduler.heddle.configuration.mutable` is set: then YARN refuses that command.");

    public static final ConfigKey<Boolean> MUTABLE = new ConfigKey<>(
            PREFIX + "configuration.mutable",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether YARN's administrators may change the file over the network, by `yarn schedconf` and `PUT"
                    + " /ws/v1/cluster/scheduler-conf`. Everyone is an administrator where `yarn.admin.acl` is not set.");

    /** For replays and tests, which set 0 and call the scheduler's update() themselves; not in the documentation. */
    public static final ConfigKey<Long> UPDATE_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "update-interval-ms",
            ValueKind.MILLIS,
            "1000",
            "Interval between checks for starved queues and for preemptions whose grace period is over.");

    public static final ConfigKey<Boolean> SHADOW = new ConfigKey<>(
            PREFIX + "shadow",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether limits and preemption are only tried: queues, users and applications may exceed their limits, and"
                    + " nothing is preempted. The log and `/heddle/v1/shadow` say which limits were exceeded, and the log,"
                    + " REST and the page what would have been preempted. Access, placement, shares, stopped queues and the"
                    + " largest container of a queue are in force.");

    public static final ConfigKey<String> USAGE_DIRECTORY = new ConfigKey<>(
            PREFIX + "usage.directory",
            new ValueKind<>(
                    "an absolute path, a URI of a file system that Hadoop knows, a jdbc: URL, or `none`",
                    SchedulerKeys::directory),
            "",
            "The directory that keeps what each application has used, hour by hour, for `heddle report usage`. A path is on"
                    + " the ResourceManager's own disk; the ResourceManagers of a pair need one that both see, such as"
                    + " hdfs:///heddle/usage. Without a value it is heddle/usage below `hadoop.tmp.dir`, which some"
                    + " systems empty at a restart. With a jdbc:postgresql: or jdbc:mariadb: URL it is kept in tables of"
                    + " this database, whose driver must be on the ResourceManager's class path. `none` turns the"
                    + " accounting off.");

    public static final ConfigKey<String> USAGE_JDBC_USER = new ConfigKey<>(
            PREFIX + "usage.jdbc-user", ValueKind.TEXT, "", "User of the database that usage.directory names.");

    public static final ConfigKey<String> USAGE_JDBC_PASSWORD = new ConfigKey<>(
            PREFIX + "usage.jdbc-password",
            ValueKind.TEXT,
            "",
            "Password of that user; it is read through Hadoop's credential providers.");

    public static final ConfigKey<Long> FEDERATION_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "federation.interval-ms",
            ValueKind.MILLIS,
            "10000",
            "Where `yarn.federation.enabled` is set: interval at which the queues' weights in this sub-cluster are read from"
                    + " the federation's state store, in milliseconds; 0 leaves the configured weights in force. See"
                    + " [YARN Federation](federation.md).");

    /** Hadoop's directory for temporary files. */
    public static final String TEMPORARY = "hadoop.tmp.dir";

    /** Hadoop's own default of {@link #TEMPORARY}, for configurations without Hadoop's defaults. */
    public static final String TEMPORARY_DEFAULT = "/tmp/hadoop-${user.name}";

    /** Every key that an administrator may set, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            CONFIGURATION_FILE,
            RELOAD_INTERVAL_MS,
            MUTABLE,
            SHADOW,
            USAGE_DIRECTORY,
            USAGE_JDBC_USER,
            USAGE_JDBC_PASSWORD,
            FEDERATION_INTERVAL_MS);

    private SchedulerKeys() {}

    private static String directory(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty() || stripped.equals("none") || stripped.startsWith("/") || stripped.contains(":/")) {
            return stripped;
        }
        throw new IllegalArgumentException(text);
    }
}
