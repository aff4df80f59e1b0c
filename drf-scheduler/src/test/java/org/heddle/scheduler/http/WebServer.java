// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.RunningManager;
import org.jspecify.annotations.Nullable;

/** A whole ResourceManager with its web server, in which one property names the scheduler and nothing else is set. */
final class WebServer implements AutoCloseable {
    private final ResourceManager rm = new ResourceManager();
    private final HttpClient client = HttpClient.newHttpClient();

    WebServer(Map<String, String> extraProperties) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, StillScheduler.class.getName());
        RunningManager.useFreePorts(conf);
        extraProperties.forEach(conf::set);
        rm.init(conf);
        rm.start();
    }

    void show(SchedulerSnapshot snapshot) {
        ((StillScheduler) rm.getResourceScheduler()).show(snapshot);
    }

    void show(List<ConfigurationChange> changes, List<NodeReport> nodes) {
        ((StillScheduler) rm.getResourceScheduler()).show(changes, nodes);
    }

    void showLimits(@Nullable List<LimitExceeded> limits) {
        ((StillScheduler) rm.getResourceScheduler()).showLimits(limits);
    }

    void show(HourlyUsage... hours) {
        ((StillScheduler) rm.getResourceScheduler()).show(hours);
    }

    void show(Waiting waiting, History history) {
        ((StillScheduler) rm.getResourceScheduler()).show(waiting, history);
    }

    URI uri(String path) {
        String address = rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
        return URI.create("http://127.0.0.1" + address.substring(address.lastIndexOf(':')) + path);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path);
    }

    HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .method(method, BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
        rm.stop();
    }
}
