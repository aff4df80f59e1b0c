// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.client.cli.SchedConfCLI;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** A real ResourceManager with its web services, of which the user of this process is the administrator. */
public final class RunningManager implements AutoCloseable {
    public static final List<String> ADDRESSES = List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS);

    public final ResourceManager rm = new ResourceManager();

    public RunningManager(Class<? extends ResourceScheduler> scheduler, String... properties) throws IOException {
        this(new YarnConfiguration(), scheduler, properties);
    }

    public RunningManager(YarnConfiguration conf, Class<? extends ResourceScheduler> scheduler, String... properties)
            throws IOException {
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        useFreePorts(conf);
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.set(YarnConfiguration.YARN_ADMIN_ACL, me());
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        rm.init(conf);
        rm.start();
    }

    /** Of this machine; which ones the ResourceManager got is in its configuration then. */
    public static void useFreePorts(YarnConfiguration conf) {
        DefaultMetricsSystem.setMiniClusterMode(true);
        for (String address : ADDRESSES) {
            conf.set(address, "127.0.0.1:0");
        }
        // Makes the ResourceManager write the port that it got into its configuration.
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
    }

    @Override
    public void close() {
        rm.stop();
    }

    public static String me() throws IOException {
        return UserGroupInformation.getCurrentUser().getShortUserName();
    }

    /** To {@code /ws/v1/cluster}, in XML. */
    public HttpResponse<String> send(String method, String path, String user, String body) throws Exception {
        return send(method, path, user, "application/xml", body);
    }

    public HttpResponse<String> send(String method, String path, String user, String type, String body)
            throws Exception {
        String address = rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1" + address.substring(address.lastIndexOf(':')) + "/ws/v1/cluster/"
                                + path + "?user.name=" + user))
                .header("Content-Type", type)
                .header("Accept", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    /** The exit code of {@code yarn schedconf}, and what it prints. */
    public String schedconf(String... arguments) throws Exception {
        SchedConfCLI command = new SchedConfCLI();
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS));
        command.setConf(conf);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            int code = command.run(arguments);
            both.flush();
            return code + " " + printed.toString(StandardCharsets.UTF_8);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
