// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.example;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;

/** A whole framework: runs shell commands wherever there is room, runs lost ones again, and ends when all are done. */
public final class ShellBatch implements Scheduler {
    private static final double CPUS = 0.5;
    private static final double MEM_MB = 64;
    private static final int PATIENCE_MILLIS = 10_000;

    private final Deque<String> waiting;
    private final Map<String, String> running = new ConcurrentHashMap<>();
    private final Map<String, TaskState> failed = new ConcurrentHashMap<>();
    private int launched;

    ShellBatch(List<String> commands) {
        this.waiting = new ArrayDeque<>(commands);
    }

    @Override
    public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {
        // Tasks whose launch was lost with the connection are answered TASK_LOST.
        TaskStatus.Builder status = TaskStatus.newBuilder().setState(TaskState.TASK_STAGING);
        driver.reconcileTasks(running.keySet().stream()
                .map(id -> status.setTaskId(TaskID.newBuilder().setValue(id)).build())
                .toList());
    }

    @Override
    public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
        for (Offer offer : offers) {
            List<TaskInfo> tasks = new ArrayList<>();
            double cpus = amount(offer, "cpus");
            double mem = amount(offer, "mem");
            while (!waiting.isEmpty() && cpus >= CPUS && mem >= MEM_MB) {
                tasks.add(task(offer, waiting.removeFirst()));
                cpus -= CPUS;
                mem -= MEM_MB;
            }
            if (tasks.isEmpty()) {
                driver.declineOffers(List.of(offer.getId()));
            } else {
                driver.launchTasks(List.of(offer.getId()), tasks);
            }
        }
        if (waiting.isEmpty()) {
            driver.suppressOffers();
        }
    }

    @Override
    public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
        TaskState state = status.getState();
        String id = status.getTaskId().getValue();
        String command = running.get(id);
        if (command != null) {
            System.out.println(id + " " + state + " " + status.getMessage() + ": " + command);
        }
        if (command == null || state == TaskState.TASK_STAGING || state == TaskState.TASK_RUNNING) {
            return;
        }
        running.remove(id);
        if (state == TaskState.TASK_LOST || state == TaskState.TASK_KILLED) {
            waiting.addLast(command);
            driver.reviveOffers();
        } else if (state != TaskState.TASK_FINISHED) {
            failed.put(command, state);
        }
        if (waiting.isEmpty() && running.isEmpty()) {
            driver.stop(false);
        }
    }

    private TaskInfo task(Offer offer, String command) {
        String id = "command-" + launched++;
        running.put(id, command);
        return TaskInfo.newBuilder()
                .setName(command)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(offer.getAgentId())
                .addResources(scalar("cpus", CPUS))
                .addResources(scalar("mem", MEM_MB))
                .setCommand(CommandInfo.newBuilder().setValue(command))
                .build();
    }

    private static double amount(Offer offer, String name) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals(name))
                .mapToDouble(resource -> resource.getScalar().getValue())
                .sum();
    }

    private static Resource scalar(String name, double value) {
        Resource.Builder resource = Resource.newBuilder().setName(name).setType(Value.Type.SCALAR);
        return resource.setScalar(Value.Scalar.newBuilder().setValue(value)).build();
    }

    /** Runs the commands as a user; returns those that failed. */
    public static Map<String, TaskState> run(Bridges bridges, String user, List<String> commands)
            throws InterruptedException {
        FrameworkInfo.Builder info =
                FrameworkInfo.newBuilder().setUser(user).setName("shell-batch").setFailoverTimeout(60);
        ShellBatch batch = new ShellBatch(commands);
        try (SchedulerDriver driver = new HttpSchedulerDriver(batch, info.build(), bridges)) {
            driver.start();
            String error = driver.join();
            if (!error.isEmpty()) {
                throw new IllegalStateException(error);
            }
        }
        return batch.failed;
    }

    /** Why nobody can be reached at that address; empty if it answers. The driver itself tries for ever. */
    static String problem(URI address) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) address.resolve("/version").toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            connection.getResponseCode(); // also 401 is an answer
            return "";
        } catch (IOException | IllegalArgumentException e) {
            return address + " does not answer: " + e.getMessage() + "; want the address of a bridge, http://HOST:5050";
        }
    }

    /** @param args the bridge's address, then the commands; BRIDGE_PRINCIPAL and BRIDGE_SECRET are its credentials */
    public static void main(String[] args) throws InterruptedException {
        if (args.length < 2) {
            System.err.println("Usage: ShellBatch http://BRIDGE:5050 COMMAND..");
            System.exit(2);
        }
        String problem = problem(URI.create(args[0]));
        if (!problem.isEmpty()) {
            System.err.println(problem);
            System.exit(2);
        }
        System.out.println("Outputs of tasks: " + args[0] + ", the page of this framework");
        Bridges bridges = Bridges.at(URI.create(args[0]));
        String principal = System.getenv("BRIDGE_PRINCIPAL");
        if (principal != null) {
            bridges = bridges.as(principal, System.getenv("BRIDGE_SECRET"));
        }
        List<String> commands = List.of(args).subList(1, args.length);
        Map<String, TaskState> failed = run(bridges, System.getProperty("user.name"), commands);
        failed.forEach((command, state) -> System.err.println(state + " " + command));
        System.exit(failed.isEmpty() ? 0 : 1);
    }
}
