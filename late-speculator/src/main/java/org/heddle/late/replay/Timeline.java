// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;

/** Draws the attempts of jobs as bars over a common time axis, with one row for each container of a node. */
final class Timeline {
    private static final int WIDTH = 1400;
    private static final int LEFT = 170;
    private static final int RIGHT = 30;
    private static final int TITLE = 34;
    private static final int AXIS = 34;
    private static final int MOST_HEIGHT = 1400;
    private static final Color ORIGINAL = new Color(0x4C78A8);
    private static final Color BACKUP = new Color(0x54A24B);
    private static final Color LOST = new Color(0xD8A0A0);

    private Timeline() {}

    /**
     * @param panels title and job, from top to bottom
     * @param png file to write
     */
    static void draw(Map<String, JobTrace> panels, Path png) throws IOException {
        long span = 1;
        int rows = 0;
        Map<String, List<List<Span>>> packed = new TreeMap<>();
        for (Map.Entry<String, JobTrace> panel : panels.entrySet()) {
            span = Math.max(span, panel.getValue().end() - panel.getValue().begin());
            List<List<Span>> lanes = lanes(panel.getValue());
            packed.put(panel.getKey(), lanes);
            rows += lanes.size();
        }
        int rowHeight = Math.max(3, Math.min(16, MOST_HEIGHT / Math.max(1, rows)));
        int height = rows * rowHeight + panels.size() * (TITLE + AXIS) + 30;
        BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, WIDTH, height);
        int top = 0;
        for (Map.Entry<String, JobTrace> panel : panels.entrySet()) {
            List<List<Span>> lanes = packed.getOrDefault(panel.getKey(), List.of());
            g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
            g.setColor(Color.BLACK);
            g.drawString(panel.getKey(), LEFT, top + TITLE - 10);
            top += TITLE;
            drawLanes(g, lanes, panel.getValue().begin(), span, top, rowHeight);
            top += lanes.size() * rowHeight;
            drawAxis(g, span, top);
            top += AXIS;
        }
        drawLegend(g, height - 12);
        g.dispose();
        write(image, png);
    }

    private static void write(BufferedImage image, Path png) throws IOException {
        if (Files.isDirectory(png)) { // an empty one would be replaced
            throw new IOException(png + " is a directory; give the name of the PNG file to write");
        }
        try (OutputStream out = Files.newOutputStream(png)) {
            if (!ImageIO.write(image, "png", out)) {
                throw new IOException(png + " was not written: this Java cannot write PNG files");
            }
        } catch (NoSuchFileException e) {
            throw new IOException(png + " was not written: its directory does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(png + " was not written: permission denied", e);
        }
    }

    /** Attempts of a node that overlap go to different lanes. */
    private static List<List<Span>> lanes(JobTrace trace) {
        Map<String, List<List<Span>>> byNode = new TreeMap<>();
        for (Span span : trace.spans()) {
            List<List<Span>> lanes = byNode.computeIfAbsent(span.node, n -> new ArrayList<>());
            List<Span> free = null;
            for (List<Span> lane : lanes) {
                if (free == null && lane.get(lane.size() - 1).end <= span.start) {
                    free = lane;
                }
            }
            if (free == null) {
                free = new ArrayList<>();
                lanes.add(free);
            }
            free.add(span);
        }
        List<List<Span>> all = new ArrayList<>();
        byNode.values().forEach(all::addAll);
        return all;
    }

    private static void drawLanes(Graphics2D g, List<List<Span>> lanes, long begin, long span, int top, int rowHeight) {
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        String before = "";
        int labelled = Integer.MIN_VALUE / 2;
        for (int row = 0; row < lanes.size(); row++) {
            int y = top + row * rowHeight;
            String node = lanes.get(row).get(0).node;
            if (!node.equals(before) && y - labelled >= 11) {
                g.setColor(Color.DARK_GRAY);
                g.drawString(node.length() > 24 ? node.substring(0, 24) : node, 6, y + Math.max(9, rowHeight - 3));
                labelled = y;
            }
            before = node;
            for (Span s : lanes.get(row)) {
                int x = x(s.start - begin, span);
                g.setColor(color(s));
                g.fillRect(x, y, Math.max(1, x(s.end - begin, span) - x - 1), Math.max(2, rowHeight - 1));
            }
        }
    }

    private static Color color(Span span) {
        if (!span.won) {
            return LOST;
        }
        return span.backup ? BACKUP : ORIGINAL;
    }

    private static void drawAxis(Graphics2D g, long span, int y) {
        g.setColor(Color.GRAY);
        g.drawLine(LEFT, y + 2, WIDTH - RIGHT, y + 2);
        long step = 1_000;
        long[] nice = {1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000};
        for (long candidate : nice) {
            step = candidate;
            if (span / step <= 14) {
                break;
            }
        }
        while (span / step > 14) {
            step *= 2;
        }
        g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        for (long t = 0; t <= span; t += step) {
            g.drawLine(x(t, span), y + 2, x(t, span), y + 6);
            g.drawString(t / 1_000 + " s", x(t, span) - 8, y + 18);
        }
    }

    private static void drawLegend(Graphics2D g, int y) {
        int x = LEFT;
        String[] texts = {"original that won", "backup that won", "did not win"};
        Color[] colors = {ORIGINAL, BACKUP, LOST};
        for (int i = 0; i < texts.length; i++) {
            g.setColor(colors[i]);
            g.fillRect(x, y - 10, 14, 10);
            g.setColor(Color.BLACK);
            g.drawString(texts[i], x + 20, y);
            x += 180;
        }
    }

    private static int x(long offset, long span) {
        return LEFT + (int) ((WIDTH - LEFT - RIGHT) * offset / span);
    }
}
