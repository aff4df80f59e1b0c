// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A change of {@code heddle-scheduler.xml} by keys: first queues go, then queues come, then queues change, then what holds
 * for the whole cluster. What a key means: {@link SpecKeys}. An empty value takes away what the key names.
 *
 * @param remove paths of queues
 * @param add queues with what is said of them, those above before those inside them
 * @param update queues with what changes
 * @param global what changes beside the queues
 */
public record SpecChange(List<String> remove, List<OfQueue> add, List<OfQueue> update, Map<String, String> global) {
    /**
     * What is said of one queue.
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
