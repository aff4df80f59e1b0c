// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.heddle.journal.LogStorage;
import org.heddle.journal.UnavailableException;
import org.heddle.settings.process.ProcessStart;

/**
 * The key of the port for agents. The first bridge that needs it makes it in the state directory, and all later bridges
 * use it: agents accept no certificate but the one with which they were started.
 */
public final class AgentKey {
    private static final String FILE = "agent-key.p12";
    /** The file's mode protects the key. A password in a file beside it would protect nothing more. */
    private static final String PASSWORD = "heddle-bridge";

    private static final int KEYTOOL_SECONDS = 60;

    private AgentKey() {}

    /**
     * Reads the key, or makes it.
     *
     * @param state the state directory
     * @throws IOException one sentence: the directory cannot be written, or this Java has no keytool
     */
    public static Tls open(LogStorage state) throws IOException {
        boolean made = state.list().stream().anyMatch(file -> file.name().equals(FILE));
        if (!made) {
            make(state);
        }
        try (InputStream in = state.read(FILE)) {
            return Tls.read(in, state.place() + "/" + FILE, PASSWORD.toCharArray());
        }
    }

    /** Several bridges may start at once: the first complete file counts. */
    private static void make(LogStorage state) throws IOException {
        Path own = Files.createTempDirectory("heddle-key"); // mode 700
        Path made = own.resolve(FILE);
        try {
            keytool(made);
            state.putIfAbsent(FILE, Files.readAllBytes(made));
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "the key for the connections of agents cannot be made in " + state.place() + ": " + e.getMessage(),
                    e);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(own);
        }
    }

    /** Agents compare the certificate and ignore its name and dates. */
    private static void keytool(Path file) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "agents",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=heddle-bridge",
                "-validity",
                "36500",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD);
        Process process = ProcessStart.ours(command, builder -> builder.redirectErrorStream(true));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool ran", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
