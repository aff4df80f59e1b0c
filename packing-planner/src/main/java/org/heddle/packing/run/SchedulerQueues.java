// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.heddle.settings.RestrictedXml;
import org.heddle.settings.web.WebAddress;
import org.heddle.settings.web.WebAnswer;
import org.heddle.settings.web.WebClient;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Queues that are changed over the ResourceManager's REST ({@code /ws/v1/cluster/scheduler-conf}): by the keys of
 * {@code heddle-scheduler.xml}, or by CapacityScheduler's where the cluster's configuration consists of these.
 */
public final class SchedulerQueues implements JobQueues {
    private static final String ADDRESS = "/ws/v1/cluster/scheduler-conf";
    private static final String XML = "application/xml";
    private static final String CAPACITY = "yarn.scheduler.capacity.";

    private final WebClient web;
    private final String parent;

    private SchedulerQueues(WebClient web, String parent) {
        this.web = web;
        this.parent = parent;
    }

    /**
     * Queues of the cluster of a Hadoop configuration, changed by this process's user.
     *
     * @param parent path of the queue above, from root on
     */
    public static SchedulerQueues of(Configuration conf, String parent) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        List<URI> managers = WebAddress.ofResourceManagers(conf::get);
        return new SchedulerQueues(new WebClient(managers, WebClient.PATIENCE, "").as(user), parent);
    }

    /** Why the queues of this cluster cannot be changed over the network; null if they can. */
    public @Nullable String whyNot() throws IOException {
        WebAnswer answer = web.send("GET", ADDRESS, "", Map.of("Accept", XML));
        return answer.isOk() ? null : web.refusal(answer);
    }

    @Override
    public String path(String name) {
        return parent + "." + name;
    }

    @Override
    public void set(Map<String, Integer> weights) throws IOException {
        Map<String, String> keys = keys();
        StringBuilder change = new StringBuilder();
        weights.forEach((name, weight) -> {
            Map<String, String> settings = new LinkedHashMap<>();
            if (isOfCapacity(keys)) {
                settings.put("capacity", weight + "w");
                settings.put("user-limit-factor", "-1"); // one user may take what others leave
                settings.put("state", "RUNNING");
            } else {
                settings.put("weight", String.valueOf(weight));
                settings.put("fair-share-preemption-timeout", "never"); // borders wait for the ends of tasks
            }
            String what = exists(name, keys) ? "update-queue" : "add-queue";
            change.append(element(what, name(name) + parameters(settings)));
        });
        put(change.toString());
    }

    @Override
    public void remove(Collection<String> names) throws IOException {
        Map<String, String> keys = keys();
        List<String> left = names.stream().filter(name -> exists(name, keys)).toList();
        if (left.isEmpty()) {
            return;
        }
        if (isOfCapacity(keys)) {
            String stop = parameters(Map.of("state", "STOPPED"));
            put(left.stream()
                    .map(name -> element("update-queue", name(name) + stop))
                    .collect(Collectors.joining()));
        }
        put(left.stream().map(name -> element("remove-queue", path(name))).collect(Collectors.joining()));
    }

    private static boolean isOfCapacity(Map<String, String> keys) {
        return keys.keySet().stream().anyMatch(key -> key.startsWith(CAPACITY));
    }

    private boolean exists(String name, Map<String, String> keys) {
        if (isOfCapacity(keys)) {
            String siblings = keys.getOrDefault(CAPACITY + parent + ".queues", "");
            return List.of(siblings.split("\\s*,\\s*", -1)).contains(name);
        }
        return keys.keySet().stream().anyMatch(key -> key.startsWith(path(name) + ":"));
    }

    // ---- what is sent and answered ----

    private String name(String name) {
        return element("queue-name", path(name));
    }

    private static String parameters(Map<String, String> settings) {
        List<String> entries = new ArrayList<>();
        settings.forEach((key, value) -> entries.add(element("entry", element("key", key) + element("value", value))));
        return element("params", String.join("", entries));
    }

    private static String element(String tag, String content) {
        return "<" + tag + ">" + content + "</" + tag + ">";
    }

    private void put(String change) throws IOException {
        WebAnswer answer = web.send("PUT", ADDRESS, element("sched-conf", change), Map.of("Content-Type", XML));
        if (!answer.isOk()) {
            throw new IOException("the queues below " + parent + " were not changed: " + web.refusal(answer));
        }
    }

    /** The scheduler's configuration. */
    private Map<String, String> keys() throws IOException {
        Map<String, String> keys = new HashMap<>();
        byte[] text = web.text(ADDRESS, XML).getBytes(StandardCharsets.UTF_8);
        try {
            NodeList all = RestrictedXml.documents()
                    .parse(new ByteArrayInputStream(text))
                    .getElementsByTagName("property");
            for (int i = 0; i < all.getLength(); i++) {
                Element property = (Element) all.item(i);
                keys.put(text(property, "name"), text(property, "value"));
            }
        } catch (SAXException e) {
            throw new IOException("the ResourceManager's answer to " + ADDRESS + " is not XML", e);
        }
        return keys;
    }

    private static String text(Element property, String tag) {
        NodeList found = property.getElementsByTagName(tag);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
    }
}
