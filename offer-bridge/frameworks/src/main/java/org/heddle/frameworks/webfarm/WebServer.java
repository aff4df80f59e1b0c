// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.webfarm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One web server: a task, and its place in haproxy. */
final class WebServer {
    /** From the launch until it answers; while it serves; until its sessions have ended. */
    enum State {
        STARTING,
        SERVING,
        DRAINING
    }

    private static final int CONNECT_MILLIS = 500;

    final String task;
    /** Its name in haproxy. */
    final String slot;

    final String agent;
    final String address;
    final int port;
    State state = State.STARTING;
    long drainedSince;

    WebServer(String task, String slot, String agent, String address, int port) {
        this.task = task;
        this.slot = slot;
        this.agent = agent;
        this.address = address;
        this.port = port;
    }

    boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A script of bash that runs nginx in the sandbox, as one process. */
    String script(String location) {
        return String.join(
                "\n",
                "PATH=$PATH:/usr/sbin",
                "mkdir -p tmp",
                "cat >nginx.conf <<'END'",
                "daemon off;",
                "master_process off;",
                "pid nginx.pid;",
                "error_log stderr;",
                "events { worker_connections 1024; }",
                "http {",
                "  access_log off;",
                "  client_body_temp_path tmp/body; proxy_temp_path tmp/proxy; fastcgi_temp_path tmp/fastcgi;",
                "  uwsgi_temp_path tmp/uwsgi; scgi_temp_path tmp/scgi;",
                "  server {",
                "    listen " + address + ":" + port + ";",
                "    add_header X-Server " + task + " always;",
                "    location / { " + location + " }",
                "  }",
                "}",
                "END",
                "exec nginx -p \"$PWD\" -c \"$PWD/nginx.conf\" -e stderr",
                "");
    }
}
