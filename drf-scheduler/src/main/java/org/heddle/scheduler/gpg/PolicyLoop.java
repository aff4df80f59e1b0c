// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.gpg;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.federation.utils.FederationStateStoreFacade;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a {@link PolicyPass} again and again in the policy generator's process, in a thread that does not keep it
 * alive.
 */
public final class PolicyLoop {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyLoop.class);
    /** The generator logs in after it has made the policy. */
    private static final long FIRST_PASS_MILLIS = 3_000;

    private PolicyLoop() {}

    /** Starts it; its interval and other settings are those of the stock generator. */
    @SuppressWarnings("FutureReturnValueIgnored") // the pass catches what goes wrong
    public static void start(Configuration conf) {
        long interval = conf.getTimeDuration(
                YarnConfiguration.GPG_POLICY_GENERATOR_INTERVAL,
                YarnConfiguration.DEFAULT_GPG_POLICY_GENERATOR_INTERVAL,
                TimeUnit.MILLISECONDS);
        if (interval <= 0) {
            LOG.warn("{} is {}: no policies are made", YarnConfiguration.GPG_POLICY_GENERATOR_INTERVAL, interval);
            return;
        }
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread loop = new Thread(work, "heddle-federation-policies");
            loop.setDaemon(true);
            return loop;
        });
        boolean secure = YarnConfiguration.useHttps(conf);
        Pass pass = new Pass(conf, secure ? "https://" : "http://");
        thread.scheduleWithFixedDelay(pass, Math.min(interval, FIRST_PASS_MILLIS), interval, TimeUnit.MILLISECONDS);
        LOG.info("Policies by the fair shares of the federation, every {} ms", interval);
    }

    /** A pass whose failure does not end the loop. */
    private static final class Pass implements Runnable {
        private final Configuration conf;
        private final String scheme;
        private @Nullable PolicyPass pass;

        Pass(Configuration conf, String scheme) {
            this.conf = conf;
            this.scheme = scheme;
        }

        @Override
        public void run() {
            try {
                if (pass == null) {
                    pass = new PolicyPass(
                            FederationStateStoreFacade.getInstance(conf).getStateStore(),
                            cluster -> SubClusterWeb.read(
                                    cluster.getSubClusterId().getId(), scheme + cluster.getRMWebServiceAddress()),
                            conf.getTrimmedStringCollection(YarnConfiguration.GPG_POLICY_GENERATOR_BLACKLIST),
                            conf.getBoolean(
                                    YarnConfiguration.GPG_POLICY_GENERATOR_READONLY,
                                    YarnConfiguration.DEFAULT_GPG_POLICY_GENERATOR_READONLY),
                            Clocks.SYSTEM);
                }
                pass.run();
            } catch (YarnException | RuntimeException e) {
                LOG.warn("No policies this time, the last ones stay", e);
            }
        }
    }
}
