// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.emulated;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.EmulatedChild;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/** Starts ApplicationMasters as processes and emulates maps. */
public final class EmulatingExecutor extends DefaultContainerExecutor {
    /** Milliseconds of a map on the fastest node. */
    static final String MAP_MILLIS = "heddle.emulated.map-ms";
    /** How many times slower nodes are, by the last number of their address from 127.0.0.1 up: comma separated. */
    static final String FACTOR = "heddle.emulated.factor.";

    private static final Pattern CHILD = Pattern.compile("YarnChild (\\S+) (\\d+) (\\S+) (\\d+)");

    @Override
    public int launchContainer(ContainerStartContext start) throws IOException, ConfigurationException {
        Container container = start.getContainer();
        String command = String.join(" ", container.getLaunchContext().getCommands());
        Matcher child = CHILD.matcher(command);
        if (!child.find()) {
            return super.launchContainer(start);
        }
        Configuration conf = getConf();
        String host = conf.get(YarnConfiguration.NM_ADDRESS, "").replaceFirst(":.*", "");
        double millis = conf.getLong(MAP_MILLIS, 1_000) * conf.getDouble(FACTOR + host, 1);
        String[] arguments = {child.group(1), child.group(2), child.group(3), child.group(4)};
        try {
            return new EmulatedChild(arguments)
                    .run(new Configuration(conf), container.getCredentials(), Math.round(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.TERMINATED.getExitCode();
        }
    }
}
