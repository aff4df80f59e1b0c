// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.settings.process.ProcessStart;
import org.jspecify.annotations.Nullable;

/** How an agent is started in its container: a small Java machine that lives for as long as the container. */
final class AgentLaunchContext {
    /**
     * As in {@code bin/heddle}: Java takes the encoding of file names and arguments from the locale. A NodeManager may
     * have none.
     */
    static final String UTF_8_LOCALE = "case $(locale charmap 2>/dev/null) in UTF-8) ;; *) export "
            + ProcessStart.FORMER_LOCALE + "=$LC_ALL LC_ALL=C.UTF-8 ;; esac; ";

    private static final int HEAP_MB = 16;

    private AgentLaunchContext() {}

    /** @param tokens for the cluster's file systems; null if they demand none */
    static ContainerLaunchContext of(
            Cluster.AgentSpec agent, YarnSettings settings, AgentJar files, @Nullable ByteBuffer tokens) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HEDDLE_BRIDGE", settings.bridgeAddresses());
        environment.put("HEDDLE_CONTAINER", agent.containerId());
        environment.put("HEDDLE_SECRET", agent.secret());
        if (!settings.fingerprint().isEmpty()) {
            environment.put("HEDDLE_CERTIFICATE", settings.fingerprint());
        }
        if (settings.executorTokens()) {
            environment.put("HEDDLE_EXECUTOR_TOKENS", "required");
        }
        environment.put("HEDDLE_LIMITS", settings.agentLimits());
        environment.put("HEDDLE_ORPHAN_MILLIS", Long.toString(settings.times().orphanMillis()));
        // Threads that reap processes would each have an arena of their own.
        environment.put("MALLOC_ARENA_MAX", "1");
        // What a launch needs is garbage soon, and in an old generation would make the heap grow. Java's archive of its
        // own classes is shared by all agents of a node unless it is moved to another address.
        String command = UTF_8_LOCALE + "exec $JAVA_HOME/bin/java -Xms6m -Xmn4m -XX:SurvivorRatio=2 -Xmx"
                + HEAP_MB
                + "m -Xss256k -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20"
                + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=6m -XX:CICompilerCount=1"
                + " -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
                + " -XX:-UsePerfData -XX:+ExitOnOutOfMemoryError -Xshare:auto -Djdk.lang.Process.launchMechanism=VFORK"
                + " -cp agent.jar org.heddle.offers.agent.Agent 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";
        return ContainerLaunchContext.newInstance(
                Map.of("agent.jar", files.jar()), environment, List.of(command), Map.of(), tokens, Map.of());
    }
}
