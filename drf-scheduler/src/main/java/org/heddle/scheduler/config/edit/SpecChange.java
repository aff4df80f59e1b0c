// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A change of {@code heddle-scheduler.xml} by keys: first queues are removed, then added, then changed; then the
 * settings of the whole cluster are changed. For the keys see {@link SpecKeys}; {@code capacity-scheduler.xml} has its
 * own. An empty value removes the setting.
 *
 * @param remove paths of queues
 * @param add queues with their settings, parents first
 * @param update queues with their changed settings
 * @param global changed settings of the whole cluster
 */
public record SpecChange(List<String> remove, List<OfQueue> add, List<OfQueue> update, Map<String, String> global) {
    /**
     * The settings of one queue.
     *
     * @param path from root on
     * @param settings key to value
     */
    public record OfQueue(String path, Map<String, String> settings) {
        public OfQueue {
            settings = Map.copyOf(settings);
        }
    }

    public SpecChange {
        remove = List.copyOf(remove);
        add = List.copyOf(add);
        update = List.copyOf(update);
        global = Map.copyOf(global);
    }

    /** Whether it changes nothing. */
    public boolean isEmpty() {
        return remove.isEmpty() && add.isEmpty() && update.isEmpty() && global.isEmpty();
    }

    /** All settings that are given, to name them in a log. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        remove.forEach(path -> keys.add("-" + path));
        add.forEach(queue -> keys.add("+" + queue.path()));
        update.forEach(queue -> queue.settings().keySet().forEach(key -> keys.add(queue.path() + ":" + key)));
        keys.addAll(global.keySet());
        return keys;
    }

    @Override
    public String toString() {
        return String.join(", ", keys());
    }
}
