// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.local.LocalFs;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.appmaster.MRAMSimulator;
import org.heddle.whatif.driven.SchedulerDriver;

/** One run of Hadoop's simulator, in a process that it ends itself. Its files are read by {@link SimulationFiles}. */
final class Simulation {
    /** The only names and addresses that it knows. */
    static final String HOSTS = "hosts";

    private Simulation() {}

    /**
     * Arguments: a directory with {@link #HOSTS} only, a {@link SimulatedScheduler}, and the parts of a {@link
     * SyntheticTrace}.
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        // The simulator's nodes have names and no addresses, and the ResourceManager looks a name up at each heartbeat.
        // Where a name service took ten milliseconds to know nothing, no job of 500 nodes ended in twelve minutes.
        // Java reads the property when it needs the first address.
        System.setProperty("jdk.net.hosts.file", directory.resolve(HOSTS).toString());
        SimulatedScheduler scheduler = SimulatedScheduler.named(arguments[1]);
        SyntheticTrace trace = new SyntheticTrace(
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]),
                Long.parseLong(arguments[6]));
        Configuration conf = new Configuration(false);
        scheduler.configure(conf, directory);
        SchedulerDriver.takeFreePorts(conf);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        // The simulator's configuration is without Hadoop's own defaults.
        conf.set("fs.AbstractFileSystem.file.impl", LocalFs.class.getName());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        conf.setInt("yarn.sls.nm.memory.mb", SyntheticTrace.NODE_MEGABYTES);
        conf.setInt("yarn.sls.nm.vcores", SyntheticTrace.NODE_VCORES);
        conf.set("yarn.sls.am.type.mapreduce", MRAMSimulator.class.getName());
        conf.setInt("yarn.sls.metrics.web.address.port", 0);
        // The simulator's hosts have names and no addresses.
        conf.setBoolean("hadoop.security.token.service.use_ip", false);
        SecurityUtil.setConfiguration(conf);
        // Only with this file, and started by its main method, the simulator ends its process after the last job.
        // Final, or the capacity-scheduler.xml of Hadoop's tests would be stronger.
        StringWriter xml = new StringWriter();
        conf.writeXml(xml);
        Files.writeString(
                directory.resolve("sls-runner.xml"),
                xml.toString().replace("<final>false</final>", "<final>true</final>"));
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, Simulation.class.getClassLoader()));
        Path traceFile = Files.writeString(directory.resolve("trace.json"), trace.json());
        String[] options = {
            "-tracetype", "SYNTH", "-tracelocation", traceFile.toString(), "-output", directory.toString()
        };
        try {
            SLSRunner.main(options);
        } catch (Exception e) {
            // The ResourceManager's threads would keep the process alive.
            e.printStackTrace();
            System.exit(1);
        }
    }
}
