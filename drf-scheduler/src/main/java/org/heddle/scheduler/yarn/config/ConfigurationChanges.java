// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ConfigurationMutationACLPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.conf.YarnConfigurationStore.LogMutation;
import org.apache.hadoop.yarn.webapp.dao.QueueConfigInfo;
import org.apache.hadoop.yarn.webapp.dao.SchedConfUpdateInfo;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.edit.SpecChange;
import org.heddle.scheduler.config.edit.SpecEditor;
import org.heddle.scheduler.config.read.SpecSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN's mutable configuration ({@code PUT /ws/v1/cluster/scheduler-conf}, {@code yarn schedconf}), with the
 * configuration file itself as its store. YARN calls in this order: {@link #getAclMutationPolicy}, {@link
 * #logAndApplyMutation}, which checks the whole result before it writes, then a refresh of the queues, and {@link
 * #confirmPendingMutation}.
 */
public final class ConfigurationChanges implements MutableConfigurationProvider {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationChanges.class);

    private final SpecSource source;
    private final SpecSource.Objection objection;
    private final ConfigurationMutationACLPolicy policy;
    private final ConfigurationFile files;

    /** The change that YARN is applying, and the content of the file before it. */
    private record Pending(SpecSource.Text before, byte[] after, String what) {}

    @GuardedBy("this")
    private @Nullable Pending pending;

    ConfigurationChanges(
            SpecSource source,
            SpecSource.Objection objection,
            ConfigurationMutationACLPolicy policy,
            Configuration conf) {
        this.source = source;
        this.objection = objection;
        this.policy = policy;
        this.files = new ConfigurationFile(conf);
    }

    @Override
    public ConfigurationMutationACLPolicy getAclMutationPolicy() {
        return policy;
    }

    /**
     * Checks the change as a whole and writes it into the file; writes nothing if the check finds an error.
     *
     * @return null, because only Hadoop's own package can create the declared type; YARN only hands it back
     * @throws IOException one sentence that says what is wrong
     */
    @Override
    @SuppressWarnings("NullAway")
    public synchronized LogMutation logAndApplyMutation(UserGroupInformation user, SchedConfUpdateInfo update)
            throws IOException {
        SpecSource.Text before = text();
        SpecChange change = change(update);
        byte[] after = changed(before, change);
        files.replace(before.place(), before.content(), after);
        pending = new Pending(before, after, user.getShortUserName() + " changed " + before.shown() + ": " + change);
        return null;
    }

    /** Restores the file if the refresh refused the change, unless the file has changed again. */
    @Override
    public synchronized void confirmPendingMutation(@Nullable LogMutation unseen, boolean valid) throws IOException {
        Pending done = pending;
        pending = null;
        if (done == null) {
            return;
        }
        if (valid) {
            LOG.info("{}", done.what());
        } else if (Arrays.equals(text().content(), done.after())) {
            files.replace(done.before().place(), done.after(), done.before().content());
            LOG.warn("Taken back, because it could not be put into force: {}", done.what());
        }
    }

    /** The configuration after a change, as keys and values; writes nothing. */
    @Override
    public Configuration applyChanges(Configuration current, SchedConfUpdateInfo update) throws IOException {
        SpecSource.Text before = text();
        return listing(before.shown(), changed(before, change(update)));
    }

    private byte[] changed(SpecSource.Text before, SpecChange change) throws IOException {
        try {
            byte[] after = SpecEditor.change(before.shown(), before.content(), change);
            source.tryOut(before.shown(), after, objection);
            return after;
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private SpecSource.Text text() throws IOException {
        try {
            return source.text();
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** @throws IOException one sentence, if it says nothing */
    static SpecChange change(SchedConfUpdateInfo update) throws IOException {
        SpecChange change = new SpecChange(
                update.getRemoveQueueInfo() == null ? List.of() : update.getRemoveQueueInfo(),
                queues(update.getAddQueueInfo()),
                queues(update.getUpdateQueueInfo()),
                settings(update.getGlobalParams()));
        if (change.isEmpty()) {
            throw new IOException("The change says nothing that the ResourceManager understands: send add-queue,"
                    + " remove-queue, update-queue or global-updates, best as XML (the command `yarn schedconf` of Hadoop"
                    + " 3.5.0 sends JSON in names that its ResourceManager does not know)");
        }
        return change;
    }

    private static List<SpecChange.OfQueue> queues(@Nullable List<QueueConfigInfo> infos) {
        List<SpecChange.OfQueue> queues = new ArrayList<>();
        if (infos != null) {
            infos.forEach(info -> queues.add(new SpecChange.OfQueue(info.getQueue(), settings(info.getParams()))));
        }
        return queues;
    }

    /** Clients send null or an empty text to remove a value. */
    private static Map<String, String> settings(@Nullable Map<String, String> params) {
        Map<String, String> settings = new HashMap<>();
        if (params != null) {
            params.forEach((key, value) -> settings.put(key, value == null ? "" : value));
        }
        return settings;
    }

    @Override
    public Configuration getConfiguration() {
        try {
            SpecSource.Text now = source.text();
            return listing(now.shown(), now.content());
        } catch (ConfigurationException | IOException e) {
            Configuration problem = new Configuration(false);
            problem.set("problem", String.valueOf(e.getMessage()));
            return problem;
        }
    }

    private static Configuration listing(String shown, byte[] content) throws IOException {
        Configuration listing = new Configuration(false);
        try {
            SpecEditor.listing(shown, content).forEach(listing::set);
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
        return listing;
    }

    /** When the file last became active, in milliseconds since 1970; each change increases it. */
    @Override
    public long getConfigVersion() {
        return source.configuration().loadedAtMillis();
    }

    /** Does nothing: the file is read when a ResourceManager becomes active, and at each refresh. */
    @Override
    public void reloadConfigurationFromStore() {}

    /** Does nothing: there is no second copy of the configuration. */
    @Override
    public void formatConfigurationInStore(Configuration conf) throws IOException {
        throw new IOException("There is no store to format: changes are made in " + text().shown()
                + " itself, and the file before the last change stands beside it, named " + ConfigurationFile.PREVIOUS);
    }

    /** Called only after {@link #formatConfigurationInStore}, which always fails. */
    @Override
    public void revertToOldConfig(Configuration conf) {}

    @Override
    public void close() {}
}
