// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The processes of tasks and executors. Each is the leader of its own process group. */
@SuppressWarnings("FutureReturnValueIgnored") // what is done later reports through the outbox
final class Processes {
    /** A process that was ordered and has not ended. */
    static final class Running {
        private final LaunchSpec launch;
        private final String group;
        private volatile @Nullable Process process;
        private volatile @Nullable ExecutorEndpoint endpoint;
        private volatile boolean killed;
        private volatile String reason = "";

        Running(LaunchSpec launch, String group) {
            this.launch = launch;
            this.group = group;
        }

        LaunchSpec launch() {
            return launch;
        }

        @Nullable
        ExecutorEndpoint endpoint() {
            return endpoint;
        }
    }

    /** Writes the process into its cgroups. The first argument is their number. */
    private static final String ENTER_GROUPS = "_h=$1; shift; while [ \"$_h\" -gt 0 ]; do echo 0 > \"$1\" || exit 125;"
            + " shift; _h=$((_h-1)); done; unset _h; ";

    /** Then runs the command in place of the shell. */
    private static final String THEN_COMMAND = ENTER_GROUPS + "exec \"$@\"";
    /** Then runs a command line of sh in the same shell, which saves one process. */
    private static final String THEN_LINE = ENTER_GROUPS + "_h=$1; shift; eval \"unset _h; $_h\"";

    private static final List<String> SHELL = List.of("sh", "-c");

    private static final long UNHEALTHY_GRACE_MILLIS = 3_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Outbox outbox;
    private final Sandboxes sandboxes;
    private final TaskLimits limits;
    private final ProcessGroupSignals signals = new ProcessGroupSignals();
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    /** Processes that have ended, by the number of that event. The bridge may order them again until it has the event. */
    private final Map<Long, String> endings = new ConcurrentHashMap<>();

    private final AtomicLong groups = new AtomicLong();
    private final ExecutorService probes = Executors.newCachedThreadPool(task -> Agent.thread("probe", task));
    private final ExecutorService forks = Executors.newFixedThreadPool(2, task -> Agent.thread("fork", task));
    /** Java has one thread for each process, which waits for its end. Those threads hand all work to this one. */
    private final ExecutorService reaper = Executors.newSingleThreadExecutor(task -> Agent.thread("reaper", task));

    private final ScheduledExecutorService timer;
    private final boolean tokens;
    private final boolean sessions = Files.isExecutable(Path.of("/usr/bin/setsid"));

    Processes(Outbox outbox, Sandboxes sandboxes, TaskLimits limits, ScheduledExecutorService timer, boolean tokens) {
        this.outbox = outbox;
        this.sandboxes = sandboxes;
        this.limits = limits;
        this.timer = timer;
        this.tokens = tokens;
    }

    Map<String, Running> running() {
        return running;
    }

    /** The bridge has stored this event. */
    void settled(long seq) {
        synchronized (outbox) {
            outbox.settle(seq);
            endings.remove(seq);
        }
    }

    /** Starts a process; its start and end become events in the outbox. A known key is ignored. */
    void launch(LaunchSpec launch) {
        Running entry = new Running(launch, "p" + groups.incrementAndGet());
        synchronized (outbox) {
            if (endings.containsValue(launch.key()) || running.putIfAbsent(launch.key(), entry) != null) {
                return;
            }
        }
        forks.execute(() -> start(entry));
    }

    private void start(Running entry) {
        LaunchSpec launch = entry.launch;
        try {
            Path sandbox = sandboxes.make(launch.sandbox());
            for (LaunchSpec.Uri uri : launch.uris()) {
                sandboxes.fetch(uri, sandbox);
            }
            if (entry.killed) {
                ended(entry, 128 + 9);
                return;
            }
            for (Probe probe : launch.probes()) {
                probe.checkEncoding();
            }
            Map<String, String> environment = environment(entry, sandbox);
            Process process = SandboxCommands.users(
                    sandbox,
                    command(entry),
                    builder -> builder.redirectOutput(appendTo(sandbox.resolve("stdout")))
                            .redirectError(appendTo(sandbox.resolve("stderr")))
                            .environment()
                            .putAll(environment));
            process.getOutputStream().close();
            entry.process = process;
            long pid = process.pid();
            outbox.event(AgentProtocol.STARTED, launch.key(), out -> out.writeLong(pid));
            if (launch.maxMillis() > 0) {
                timer.schedule(() -> overdue(entry), launch.maxMillis(), TimeUnit.MILLISECONDS);
            }
            launch.probes().forEach(probe -> probe(entry, probe, sandbox));
            process.onExit().whenCompleteAsync((done, error) -> reap(entry, process), reaper);
            if (entry.killed) {
                endAll(entry, process);
            }
        } catch (IOException | RuntimeException e) {
            closeEndpoint(entry);
            limits.remove(entry.group);
            String message = e.getMessage() == null ? e.toString() : e.getMessage();
            last(entry, AgentProtocol.NOT_STARTED, out -> FrameCodec.writeText(out, message));
        }
    }

    private Map<String, String> environment(Running entry, Path sandbox) throws IOException {
        LaunchSpec launch = entry.launch;
        Map<String, String> environment = new HashMap<>(launch.environment());
        environment.put("MESOS_SANDBOX", sandbox.toString());
        environment.put("MESOS_DIRECTORY", sandbox.toString());
        if (launch.executor()) {
            String token = token();
            ExecutorEndpoint endpoint = new ExecutorEndpoint(launch.key(), outbox, tokens ? token : "");
            entry.endpoint = endpoint;
            environment.put("MESOS_EXECUTOR_AUTHENTICATION_TOKEN", token);
            environment.put("MESOS_AGENT_ENDPOINT", endpoint.address());
        }
        return environment;
    }

    private static ProcessBuilder.Redirect appendTo(Path file) {
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    private void probe(Running entry, Probe probe, Path sandbox) {
        LaunchSpec launch = entry.launch;
        HealthChecker.Listener listener = new HealthChecker.Listener() {
            @Override
            public void found(boolean good, int found) {
                outbox.event(AgentProtocol.PROBED, launch.key(), out -> {
                    out.writeBoolean(probe.health());
                    out.writeBoolean(good);
                    out.writeInt(found);
                });
            }

            @Override
            public void unhealthy(String reason) {
                entry.reason = reason;
                kill(launch.key(), UNHEALTHY_GRACE_MILLIS);
            }
        };
        new HealthChecker(
                        probe,
                        sandbox,
                        launch.environment(),
                        () -> running.get(launch.key()) == entry && !entry.killed,
                        listener,
                        timer,
                        probes)
                .begin();
    }

    private static String token() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private List<String> command(Running entry) throws IOException {
        LaunchSpec launch = entry.launch;
        List<Path> groupFiles = limits.make(entry.group, launch.milliCpus(), launch.memMb());
        List<String> command = new ArrayList<>();
        if (sessions) {
            command.add("/usr/bin/setsid");
        }
        boolean line =
                launch.command().size() == 3 && launch.command().subList(0, 2).equals(SHELL);
        if (!groupFiles.isEmpty()) {
            command.addAll(SHELL);
            command.addAll(List.of(line ? THEN_LINE : THEN_COMMAND, "sh", Integer.toString(groupFiles.size())));
            groupFiles.forEach(file -> command.add(file.toString()));
        }
        command.addAll(
                groupFiles.isEmpty() || !line
                        ? launch.command()
                        : launch.command().subList(2, 3));
        return command;
    }

    private void overdue(Running entry) {
        entry.reason = "max_completion_time reached";
        kill(entry.launch.key(), 0);
    }

    /** Sends TERM to the process, and KILL after the grace period. */
    void kill(String key, long graceMillis) {
        Running entry = running.get(key);
        if (entry == null) {
            return;
        }
        entry.killed = true;
        Process process = entry.process;
        if (process == null) {
            return;
        }
        if (graceMillis <= 0) {
            endAll(entry, process);
            return;
        }
        signal("TERM", process.pid());
        timer.schedule(
                () -> {
                    if (process.isAlive()) {
                        endAll(entry, process);
                    }
                },
                graceMillis,
                TimeUnit.MILLISECONDS);
    }

    /** KILL for the process group, and for what has left it, as far as its cgroup shows. */
    private void endAll(Running entry, Process process) {
        signal("KILL", process.pid());
        limits.kill(entry.group);
    }

    private void signal(String name, long pid) {
        try {
            if (sessions) {
                signals.send(name, pid);
            } else {
                ProcessHandle.of(pid).ifPresent(head -> {
                    head.descendants().forEach(ProcessHandle::destroyForcibly);
                    boolean told = name.equals("TERM") ? head.destroy() : head.destroyForcibly();
                    Agent.log("signal " + name + " for " + pid + (told ? "" : " failed"));
                });
            }
        } catch (IOException e) {
            Agent.log("cannot signal process group " + pid + ": " + e.getMessage());
        }
    }

    private void reap(Running entry, Process process) {
        // Ends all that is left of the process group. Its number cannot belong to another group yet, unless the kernel
        // has
        // used up all other numbers meanwhile.
        endAll(entry, process);
        closeEndpoint(entry);
        boolean outOfMemory = limits.ranOutOfMemory(entry.group);
        if (outOfMemory) {
            entry.reason = "memory limit of " + entry.launch.memMb() + " MiB reached";
        }
        ended(entry, process.exitValue());
        timer.schedule(() -> limits.remove(entry.group), 200, TimeUnit.MILLISECONDS);
    }

    private void ended(Running entry, int code) {
        boolean outOfMemory = entry.reason.startsWith("memory");
        last(entry, AgentProtocol.EXITED, out -> {
            out.writeInt(code);
            out.writeBoolean(entry.killed);
            out.writeBoolean(outOfMemory);
            FrameCodec.writeText(out, entry.reason);
        });
    }

    /** Reports the end of a process. Both maps change together, so that a repeated order does not start it again. */
    private void last(Running entry, byte what, FrameCodec.Fields fields) {
        synchronized (outbox) {
            endings.put(outbox.event(what, entry.launch.key(), fields), entry.launch.key());
            running.remove(entry.launch.key());
        }
    }

    private static void closeEndpoint(Running entry) {
        ExecutorEndpoint endpoint = entry.endpoint;
        if (endpoint != null) {
            endpoint.close();
        }
    }

    /** Kills all processes. */
    void killAll() {
        running.keySet().forEach(key -> kill(key, 0));
    }
}
