// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The queues below one, by name.
 *
 * @param below each with what is below it
 */
record QueueNames(Map<String, QueueNames> below) {
    /** Of every user, and of the newcomer. */
    static QueueNames of(Workload load) {
        QueueNames root = new QueueNames(new TreeMap<>());
        for (int user = 0; user <= load.users(); user++) {
            QueueNames at = root;
            for (String name : load.path(user)) {
                at = at.below.computeIfAbsent(name, one -> new QueueNames(new TreeMap<>()));
            }
        }
        return root;
    }

    /** Elements of the root and all below it, and what each of them holds besides. */
    String xml(String inEach, String inLeaves) {
        return xml("root", inEach, inLeaves);
    }

    private String xml(String name, String inEach, String inLeaves) {
        String open = "<queue name=\"" + name + "\">" + inEach + (below.isEmpty() ? inLeaves : "");
        return below.entrySet().stream()
                .map(one -> one.getValue().xml(one.getKey(), inEach, inLeaves))
                .collect(Collectors.joining("", open, "</queue>"));
    }

    /** @param each takes a queue's whole name and the names right below it */
    void forEach(String name, BiConsumer<String, Set<String>> each) {
        each.accept(name, below.keySet());
        below.forEach((child, tree) -> tree.forEach(name + "." + child, each));
    }
}
