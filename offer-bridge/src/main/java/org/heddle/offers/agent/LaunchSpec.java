// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process to start.
 *
 * @param key by which bridge and agent name the process
 * @param sandbox name of its directory
 * @param executor whether it gets an endpoint of the executor API
 * @param user as whom it must run; empty for the user of the container. No other one is possible
 * @param command program and arguments
 * @param environment added to the agent's environment
 * @param uris fetched into the sandbox before the start
 * @param milliCpus limit where cgroups may be made, 0 for none
 * @param memMb limit where cgroups may be made, 0 for none
 * @param maxMillis after which the process is killed, 0 for never
 * @param probes checks and health checks while it runs
 */
public record LaunchSpec(
        String key,
        String sandbox,
        boolean executor,
        String user,
        List<String> command,
        Map<String, String> environment,
        List<Uri> uris,
        long milliCpus,
        long memMb,
        long maxMillis,
        List<Probe> probes) {
    /** A file to fetch. */
    public record Uri(String value, boolean extract, boolean executable, String outputFile) {}

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(key);
        out.writeUTF(sandbox);
        out.writeBoolean(executor);
        FrameCodec.writeText(out, user);
        out.writeInt(command.size());
        for (String word : command) {
            FrameCodec.writeText(out, word);
        }
        out.writeInt(environment.size());
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            FrameCodec.writeText(out, entry.getKey());
            FrameCodec.writeText(out, entry.getValue());
        }
        out.writeInt(uris.size());
        for (Uri uri : uris) {
            FrameCodec.writeText(out, uri.value());
            out.writeBoolean(uri.extract());
            out.writeBoolean(uri.executable());
            FrameCodec.writeText(out, uri.outputFile());
        }
        out.writeLong(milliCpus);
        out.writeLong(memMb);
        out.writeLong(maxMillis);
        out.writeInt(probes.size());
        for (Probe probe : probes) {
            probe.write(out);
        }
    }

    /** Reads the fields of a LAUNCH. */
    public static LaunchSpec read(DataInputStream in) throws IOException {
        String key = in.readUTF();
        String sandbox = in.readUTF();
        boolean executor = in.readBoolean();
        String user = FrameCodec.readText(in);
        List<String> command = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            command.add(FrameCodec.readText(in));
        }
        Map<String, String> environment = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String name = FrameCodec.readText(in);
            environment.put(name, FrameCodec.readText(in));
        }
        List<Uri> uris = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            uris.add(new Uri(FrameCodec.readText(in), in.readBoolean(), in.readBoolean(), FrameCodec.readText(in)));
        }
        long milliCpus = in.readLong();
        long memMb = in.readLong();
        long maxMillis = in.readLong();
        List<Probe> probes = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            probes.add(Probe.read(in));
        }
        return new LaunchSpec(
                key, sandbox, executor, user, command, environment, uris, milliCpus, memMb, maxMillis, probes);
    }
}
