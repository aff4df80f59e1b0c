// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.attack.SlowClients;
import org.junit.jupiter.api.Test;

/** With real scripts of bash, as tasks run them. */
class GateTest {
    private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

    private static Process bash(String script) throws IOException {
        return new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
    }

    private static String output(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.waitFor() + " " + text;
    }

    @Test
    void tasksGoOnWithTheirLines() throws Exception {
        try (Gate gate = new Gate(InetAddress.getLoopbackAddress(), arrived::add)) {
            Process one = bash(gate.script("one") + "echo \"got $line\"");
            Process two = bash(gate.script("two") + "eval \"exec $line\"");
            assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
            assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
            gate.open("one", "a b  $HOME");
            gate.open("two", "echo 'x  y' z");
            assertThat(output(one)).isEqualTo("0 got a b  $HOME");
            assertThat(output(two)).isEqualTo("0 x  y z");
            assertThatThrownBy(() -> gate.open("one", "again")).hasMessage("task one does not wait at the gate");
        }
    }

    @Test
    void aTaskEndsWhenItIsDismissedOrTheGateCloses() throws Exception {
        Process two;
        try (Gate gate = new Gate(InetAddress.getLoopbackAddress(), arrived::add)) {
            Process one = bash(gate.script("one") + "echo on");
            two = bash(gate.script("two") + "echo on");
            assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
            assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
            gate.dismiss("one");
            assertThat(output(one)).isEqualTo("91 the gang did not form");
        }
        assertThat(output(two)).isEqualTo("91 the gang did not form");
    }

    @Test
    void aStrangerIsTurnedAway() throws Exception {
        try (Gate gate = new Gate(InetAddress.getLoopbackAddress(), arrived::add)) {
            String port = gate.script("x").replaceAll("(?s).*/dev/tcp/[^/]*/([0-9]+).*", "$1");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
                socket.getOutputStream().write("wrong one\n".getBytes(StandardCharsets.UTF_8));
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(arrived).isEmpty();
        }
    }

    @Test
    void strangersThatSendSlowlyOrALotDoNotStay() throws Exception {
        try (Gate gate = new Gate(InetAddress.getLoopbackAddress(), arrived::add, 300)) {
            String port = gate.script("x").replaceAll("(?s).*/dev/tcp/[^/]*/([0-9]+).*", "$1");
            try (SlowClients strangers = new SlowClients(Integer.parseInt(port))) {
                Socket slow = strangers.send("a");
                slow.setSoTimeout(10);
                assertThat(endedWhileSending(slow)).isTrue();
                assertThat(ended(strangers.send("x".repeat(100_000)))).isTrue();
                strangers.send(100, "a");
                Process task = bash(gate.script("one") + "echo \"got $line\"");
                assertThat(arrived.poll(1, TimeUnit.MINUTES)).isEqualTo("one");
                gate.open("one", "on");
                assertThat(output(task)).isEqualTo("0 got on");
            }
        }
    }

    private static boolean endedWhileSending(Socket socket) throws IOException {
        for (int i = 0; i < 900; i++) {
            try {
                SlowClients.send(socket, "a");
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException e) {
                // Not yet.
            } catch (SocketException e) {
                return true;
            }
        }
        return false;
    }

    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
