// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.conf.MutableCSConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.conf.YarnConfigurationStore.LogMutation;
import org.apache.hadoop.yarn.webapp.dao.SchedConfUpdateInfo;
import org.heddle.scheduler.config.SpecLocation;

/**
 * CapacityScheduler's configuration in the store that the cluster has for it ({@code
 * yarn.scheduler.configuration.store.class}). Hadoop's own provider reads and writes it, in the store's own records, so
 * that CapacityScheduler finds every change after a way back. Each change is checked as a whole before it is logged.
 */
final class ConfigurationStore extends MutableCSConfigurationProvider {
    private static final String KEY = YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS;
    private static final Set<String> KINDS = Set.of(
            YarnConfiguration.MEMORY_CONFIGURATION_STORE,
            YarnConfiguration.FS_CONFIGURATION_STORE,
            YarnConfiguration.ZK_CONFIGURATION_STORE);

    private final String shown;
    private final Trial trial;

    /** Refuses a configuration that could not come into force. */
    interface Trial {
        void of(String shown, byte[] content) throws IOException;
    }

    /** @throws IOException one sentence, if the store cannot be opened */
    ConfigurationStore(Configuration conf, RMContext context, Trial trial) throws IOException {
        super(context);
        this.shown = SpecLocation.STORE + conf.get(KEY);
        this.trial = trial;
        try {
            init(conf);
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    KEY + " = '" + conf.get(KEY) + "': this store cannot be opened: " + cause.getMessage()
                            + "; correct its keys in yarn-site.xml",
                    e);
        }
    }

    static boolean isConfigured(Configuration conf) {
        return KINDS.contains(conf.get(KEY, ""));
    }

    /** From where its content is read, as that of a file. */
    URL place() throws IOException {
        return new URL(null, shown, new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL place) {
                return new URLConnection(place) {
                    @Override
                    public void connect() {}

                    @Override
                    public InputStream getInputStream() throws IOException {
                        return new ByteArrayInputStream(content(getConfiguration()));
                    }
                };
            }
        });
    }

    private static byte[] content(Configuration configuration) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        configuration.writeXml(out);
        return out.toByteArray();
    }

    @Override
    public LogMutation logAndApplyMutation(UserGroupInformation user, SchedConfUpdateInfo update) throws Exception {
        applyChanges(getConfiguration(), update);
        return super.logAndApplyMutation(user, update);
    }

    @Override
    public Configuration applyChanges(Configuration current, SchedConfUpdateInfo update) throws IOException {
        ConfigurationChanges.change(update);
        Configuration after = super.applyChanges(current, update);
        trial.of(shown, content(after));
        return after;
    }
}
